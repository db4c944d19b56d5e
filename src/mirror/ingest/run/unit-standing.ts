import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamUnit } from '../units/stream-unit.ts';

/**
 * Whether the ledger has the unit, another one in its place, or neither, as its intact copies say: it has another one where
 * none of them is the one that it has.
 *
 * @param isNamed whether the ledger has a unit of this name: files before version 6 tell no number, but no two have one name
 * @see contracts/streams.md section 11, rows Duplicate unit and Repeated block
 */
export async function standingOf(
  unit: StreamUnit,
  repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>,
  isNamed = false,
): Promise<'stored' | 'another' | 'unknown'> {
  let standing: 'another' | 'unknown' = 'unknown';
  for await (const { blockNumber, hash } of unit.links?.() ?? []) {
    if (await repository.hasUnit(hash)) return 'stored';
    const stored = blockNumber === null ? null : await repository.hashOfBlock(blockNumber);
    if (stored !== null && sameBytes(stored, hash)) return 'stored';
    // The copies of other nodes can only take back what this one shows.
    if (stored === null && !isNamed) return 'unknown';
    standing = 'another';
  }
  return standing;
}
