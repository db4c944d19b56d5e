import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGap, LedgerGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { sameBytes } from '../sha384.ts';
import type { SourceListing, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { endOf } from './wanted-units.ts';

/**
 * The gap at which an import of this source would stop now.
 *
 * @returns null when the source has nothing new or continues where the ledger ends.
 * @throws IngestError when the source or the next unit cannot be read.
 */
export async function findOpenGap(
  source: StreamSource,
  repository: Pick<LedgerRepository, 'chainEnd' | 'lastUnit'>,
  gaps: Pick<LedgerGaps, 'accepts'>,
): Promise<LedgerGap | null> {
  const last = await repository.lastUnit();
  const end = await repository.chainEnd();
  // Also where no unit can be missing yet: a source that is not there shall not look like one without gaps.
  const listing = await source.list(endOf(last, end));
  if (last === null || end === null) return null;
  const next = await firstThere(listing);
  const foundHash = (await next?.previousHash(end)) ?? null;
  const expectedHash = end.hash;
  if (next === null || foundHash === null || sameBytes(foundHash, expectedHash)) return null;
  if (await gaps.accepts(expectedHash, foundHash)) return null;
  return { from: last.consensusEnd, to: next.instant, unit: next.name, expectedHash, foundHash };
}

/** The first one that is there: what is missing itself may still be proven. */
async function firstThere({ pages }: SourceListing): Promise<StreamUnit | null> {
  for await (const page of pages) {
    const next = page.find(({ isThere }) => isThere);
    if (next !== undefined) return next;
  }
  return null;
}
