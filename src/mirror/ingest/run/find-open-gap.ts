import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGap, LedgerGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamSource } from '../units/stream-source.ts';
import { MAX_HELD } from './chain-order.ts';
import { endOfLedger, findWantedUnits } from './wanted-units.ts';

/**
 * The gap at which an import of this source would stop now.
 *
 * @returns null when the source has nothing new or continues where the ledger ends.
 * @throws IngestError when the source or the next unit cannot be read.
 */
export async function findOpenGap(
  source: StreamSource,
  repository: Pick<LedgerRepository, 'chainEnd' | 'lastUnit' | 'recentUnits'>,
  gaps: Pick<LedgerGaps, 'accepts'>,
): Promise<LedgerGap | null> {
  const last = await repository.lastUnit();
  const end = await repository.chainEnd();
  // Also where no unit can be missing yet: a source that is not there shall not look like one without gaps.
  const wanted = await findWantedUnits(source, await endOfLedger(repository), {}, undefined);
  try {
    if (last === null || end === null) return null;
    let gap: LedgerGap | null = null;
    // The file that follows may be named after others.
    for (let count = 0; count < MAX_HELD; count++) {
      const next = await wanted.next();
      if (next === null) break;
      const isFirst = gap === null && !wanted.isLate(next);
      // What is missing itself may still be proven.
      if (!next.isThere || (gap !== null && next.link === undefined)) continue;
      const foundHash = await next.previousHash(end).catch((error: unknown) => {
        if (isFirst || !(error instanceof IngestError)) throw error;
        return null;
      });
      const expectedHash = end.hash;
      const follows = foundHash !== null && sameBytes(foundHash, expectedHash);
      if (follows || (isFirst && foundHash === null)) return null;
      if (!isFirst || foundHash === null) continue;
      if (await gaps.accepts(expectedHash, foundHash)) return null;
      gap = { from: last.consensusEnd, to: next.instant, unit: next.name, expectedHash, foundHash };
      if (next.link === undefined) break;
    }
    return gap;
  } finally {
    await wanted.close();
  }
}
