import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { LedgerTransaction } from '../rows.ts';

/**
 * Finds the transactions that are not stored yet: units may overlap, such as a fixture and what follows it.
 *
 * @param units the transactions of each unit
 * @param stored hashes of transactions of the ledger, by consensus time
 * @returns of each unit those that are new
 * @throws LedgerlensError `duplicate_conflict` when a stored consensus time has another hash
 * @see contracts/streams.md section 15
 */
export function addedTransactions(
  units: readonly (readonly LedgerTransaction[])[],
  stored: ReadonlyMap<bigint, Uint8Array | null>,
): readonly (readonly LedgerTransaction[])[] {
  const known = new Map(stored);
  return units.map((transactions) =>
    transactions.filter((transaction) => {
      const { consensusTimestamp: at, hash } = transaction;
      const other = known.get(at);
      if (other === undefined) {
        known.set(at, hash);
        return true;
      }
      if (!isSame(other, hash)) refuse(at);
      return false;
    }),
  );
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

function refuse(at: bigint): never {
  const consensusTimestamp = printTimestamp(at);
  throw new LedgerlensError(
    'duplicate_conflict',
    `Another transaction is already stored at consensus time ${consensusTimestamp}`,
    { details: { consensusTimestamp } },
  );
}
