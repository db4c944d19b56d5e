import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { StreamSource, StreamUnit } from '../source/stream-source.ts';
import type { ImporterOptions } from './importer-options.ts';

/** What a source has for a ledger. */
export interface WantedUnits {
  /** In the order of their begins. */
  readonly units: readonly StreamUnit[];
  /** Units before those. */
  readonly olderCount: number;
  /** Begins of the older ones that are not before `start`. */
  readonly olderWanted: readonly ConsensusTimestamp[];
  /** Whether the source has units beyond `end`, so that it is finished. */
  readonly isAtEnd: boolean;
  /** Whether the source has no unit at all. */
  readonly isEmpty: boolean;
}

/** Lists the units behind the end of the ledger, from `start` to `end`. */
export async function findWantedUnits(
  source: StreamSource,
  ledgerEnd: ConsensusTimestamp | null,
  { end, start }: Pick<ImporterOptions, 'start' | 'end'>,
): Promise<WantedUnits> {
  const { older, units: found } = await source.units(laterOf(ledgerEnd, start ?? null));
  const units = found.filter(({ instant }) => instant <= (end ?? instant));
  return {
    units,
    olderCount: older.length,
    olderWanted: older.filter((instant) => instant >= (start ?? instant)),
    isAtEnd: units.length < found.length,
    isEmpty: found.length + older.length === 0,
  };
}

/** Units that begin later than the result are wanted: those from `start` on, and none that is stored. */
function laterOf(
  stored: ConsensusTimestamp | null,
  start: ConsensusTimestamp | null,
): ConsensusTimestamp | null {
  if (start === null || (stored !== null && stored >= start)) return stored;
  return consensusTimestamp(start - 1n);
}
