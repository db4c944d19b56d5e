import { MAX_INT64, MIN_INT64 } from '../../../values/int64.ts';
import { authoritativeNumber, type ChainEnd, nextNumber } from '../../ledger/chain-end.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import type { LedgerGap } from '../../ledger/upkeep/ledger-gaps.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamSource } from '../units/stream-source.ts';
import type { StreamUnit, UnitLink } from '../units/stream-unit.ts';
import { MAX_HELD } from './chain-order.ts';
import { endOfLedger, findWantedUnits, WHOLE_LOOKBACK } from './wanted-units.ts';

/**
 * The gap at which an import of this source would stop now.
 *
 * @returns null when the source has nothing new or continues where the ledger ends.
 * @throws IngestError when the source or the next unit cannot be read, or that is of another ledger.
 */
export async function findOpenGap(
  source: StreamSource,
  repository: Pick<LedgerRepository, 'chainEnd' | 'hasUnit' | 'lastUnit' | 'recentUnits'>,
  gaps: Pick<LedgerGaps, 'accepts'>,
): Promise<LedgerGap | null> {
  const last = await repository.lastUnit();
  const end = await repository.chainEnd();
  // Also where no unit can be missing yet: a source that is not there shall not look like one without gaps.
  const wanted = await findWantedUnits(source, await endOfLedger(repository, WHOLE_LOOKBACK), {}, undefined);
  try {
    if (last === null || end === null) return null;
    const expectedHash = end.hash;
    const number = authoritativeNumber(end);
    let gap: LedgerGap | null = null;
    let failure: IngestError | null = null;
    // The file that follows may be named after others.
    for (let count = 0; count < MAX_HELD; count++) {
      const next = await wanted.next();
      if (next === null) break;
      const isFirst = gap === null && failure === null && !wanted.isLate(next);
      // What is missing itself may still be proven.
      if (!next.isThere || (!isFirst && next.links === undefined)) continue;
      let isFork = false;
      try {
        for await (const { blockNumber, hash, previousHash: foundHash } of linksOf(next, end)) {
          const isBehindHole = (blockNumber ?? MIN_INT64) > (nextNumber(end) ?? MAX_INT64);
          const joins = foundHash !== null && sameBytes(foundHash, expectedHash);
          const least = number === null || joins ? number : number + 1n;
          const isKnown = (blockNumber ?? MAX_INT64) < (least ?? MIN_INT64);
          if (foundHash === null ? isFirst : joins && !isBehindHole && !isKnown) return null;
          if (!isFirst || gap !== null || foundHash === null) continue;
          if (isKnown) {
            isFork ||= hash !== undefined && !(await repository.hasUnit(hash));
            continue;
          }
          if (await gaps.accepts(expectedHash, foundHash, next.instant)) return null;
          gap = { from: last.consensusEnd, to: next.instant, unit: next.name, expectedHash, foundHash };
        }
      } catch (error) {
        if (!(error instanceof IngestError) || isSourceFault(error)) throw error;
        if (isFirst) failure = error;
      }
      // Behind a file of another ledger may be more of them.
      if (gap === null && isFork) {
        const text = `${next.name} has a number that the ledger has, and another hash: it is of another ledger`;
        throw new IngestError('fork', text);
      }
      if (gap !== null && next.links === undefined) break;
    }
    if (failure !== null) throw failure;
    return gap;
  } finally {
    await wanted.close();
  }
}

/** As its copies say. @throws IngestError when none can be read. */
async function* linksOf(
  unit: StreamUnit,
  end: ChainEnd,
): AsyncGenerator<Omit<UnitLink, 'hash'> & Partial<UnitLink>> {
  let isRead = false;
  for await (const link of unit.links?.() ?? []) {
    isRead = true;
    yield link;
  }
  if (!isRead) yield { previousHash: await unit.previousHash(end), blockNumber: null };
}
