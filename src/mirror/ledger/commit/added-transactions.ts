import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { LedgerTransaction } from '../rows.ts';

/**
 * Finds the transactions that are not stored yet: units may overlap, such as a fixture and what follows it.
 *
 * @param units the transactions of each unit
 * @param newest the newest stored one: what is later is not stored and is not looked up; null in an empty ledger
 * @param stored hashes of transactions of the ledger, by consensus time
 * @returns of each unit those that are new
 * @throws LedgerlensError `duplicate_conflict` when a stored consensus time has another hash
 * @see contracts/streams.md section 15
 */
export function addedTransactions(
  units: readonly (readonly LedgerTransaction[])[],
  newest: bigint | null,
  stored: ReadonlyMap<bigint, Uint8Array | null>,
): readonly (readonly LedgerTransaction[])[] {
  const taken: LedgerTransaction[][] = [];
  let last = newest;
  let known: Map<bigint, Uint8Array | null> | null = null;
  for (const transactions of units) {
    const added: LedgerTransaction[] = [];
    taken.push(added);
    for (const transaction of transactions) {
      const { consensusTimestamp: at, hash } = transaction;
      if (last === null || at > last) last = at;
      else {
        known ??= knownHashes(stored, taken);
        const other = known.get(at);
        if (other !== undefined) {
          if (!isSame(other, hash)) refuse(at);
          continue;
        }
      }
      known?.set(at, hash);
      added.push(transaction);
    }
  }
  return taken;
}

function knownHashes(
  stored: ReadonlyMap<bigint, Uint8Array | null>,
  taken: readonly (readonly LedgerTransaction[])[],
): Map<bigint, Uint8Array | null> {
  const known = new Map(stored);
  for (const { consensusTimestamp, hash } of taken.flat()) known.set(consensusTimestamp, hash);
  return known;
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
