import type { LedgerTransaction } from './rows.ts';

/**
 * The place of the transaction of a time among some in ascending order of theirs; -1 when there is none. A fixture asks
 * for each of its lines.
 */
export function placeOfTransaction(
  transactions: readonly Pick<LedgerTransaction, 'consensusTimestamp'>[],
  time: bigint,
): number {
  let [first, behind] = [0, transactions.length];
  while (first < behind) {
    const middle = (first + behind) >>> 1;
    if ((transactions[middle]?.consensusTimestamp ?? time) < time) first = middle + 1;
    else behind = middle;
  }
  return transactions[first]?.consensusTimestamp === time ? first : -1;
}
