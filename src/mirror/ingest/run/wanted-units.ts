import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { UnitHeader } from '../../ledger/rows.ts';
import { parseStreamFileName } from '../units/stream-file-name.ts';
import type { RecentInstants, SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { UnitsAhead } from './units-ahead.ts';

/** How far names are compared one by one; on public networks about a minute. */
const RECENT_UNITS = 32;
const BEFORE_FIRST = 10_000_000_000n;

/** A walk over what a source has for a ledger. */
export interface WantedUnits {
  /** Units before the walk. */
  readonly olderCount: number;
  /** Begins of the older ones that are not before `start`. */
  readonly olderWanted: readonly ConsensusTimestamp[];
  /** The newest record files of them, from the last one back, as far as the source tells. */
  readonly newestOlder: readonly StreamUnit[];
  /** Whether reading a unit twice costs little. */
  readonly isNear: boolean;
  /** Whether the walk gives the unit although its name is before the end of the ledger. */
  isLate(unit: StreamUnit): boolean;
  /** The next one in the order of their begins, once the source has it; null when it has no more, or none up to `end`. */
  next(): Promise<StreamUnit | null>;
  /** Units that have come before their turn. */
  readonly ahead: readonly StreamUnit[];
  /** Units that the source has listed so far. */
  readonly listed: number;
  /** Whether the source has units beyond `end`, so that it is finished. */
  readonly isAtEnd: boolean;
  /** Whether the source has no unit at all, as far as the walk came. */
  readonly isEmpty: boolean;
  /** Lets go of the source. */
  close(): Promise<void>;
}

/** From the begin of one unit to that of another; null for no bound. */
export interface WantedRange {
  readonly start?: ConsensusTimestamp | null;
  readonly end?: ConsensusTimestamp | null;
}

/** Walks over the units behind the end of the ledger, from `start` to `end`. */
export async function findWantedUnits(
  source: StreamSource,
  ledgerEnd: SourcePosition | null,
  { end, start }: WantedRange,
  signal: AbortSignal | undefined,
): Promise<WantedUnits> {
  const ending = new AbortController();
  const signals = [ending.signal, ...(signal === undefined ? [] : [signal])];
  const position = laterOf(ledgerEnd, start ?? null);
  const {
    isNear = false,
    newestOlder = [],
    older,
    olderBlocks = 0,
    pages,
  } = await source.list(position, AbortSignal.any(signals));
  const begin = position?.begin ?? null;
  const isLate = ({ instant, links }: StreamUnit): boolean =>
    links !== undefined && begin !== null && instant <= begin;
  const walk = pages[Symbol.asyncIterator]();
  let page: readonly StreamUnit[] = [];
  let taken = 0;
  let listed = 0;
  let isAtEnd = false;
  const turn = async (): Promise<boolean> => {
    const next = await walk.next();
    if (next.done === true) return false;
    const wanted = next.value.filter((unit) => !isLate(unit) || unit.instant >= (start ?? unit.instant));
    page = wanted.filter(({ instant }) => instant <= (end ?? instant));
    isAtEnd = page.length < wanted.length;
    listed += page.length;
    taken = 0;
    return true;
  };
  const units = new UnitsAhead(async () => {
    while (taken >= page.length) if (isAtEnd || !(await turn())) return null;
    return page[taken++] ?? null;
  });
  return {
    olderCount: older.length + olderBlocks,
    olderWanted: older.filter((instant) => instant >= (start ?? instant)),
    newestOlder,
    isNear,
    isLate,
    next: () => units.next(),
    get ahead() {
      return units.waiting;
    },
    get listed() {
      return listed;
    },
    get isAtEnd() {
      return isAtEnd && units.waiting.length === 0;
    },
    get isEmpty() {
      return older.length + olderBlocks + listed === 0 && !isAtEnd;
    },
    async close() {
      // A generator that waits would never come to its return.
      ending.abort();
      await walk.return?.();
    },
  };
}

/** Where the stored ledger ends, of whatever kind its last unit is; null when it is empty. */
export async function endOfLedger(
  repository: Pick<LedgerRepository, 'chainEnd' | 'lastUnit' | 'recentUnits'>,
): Promise<SourcePosition | null> {
  const last = await repository.lastUnit();
  if (last === null) return null;
  const { blockNumber = null, isNative = false } = (await repository.chainEnd()) ?? {};
  const recent = (await repository.recentUnits(RECENT_UNITS)).map(beginOf);
  const begin = recent.reduce((greatest, each) => (each > greatest ? each : greatest), beginOf(last));
  const position = { begin, time: consensusTimestamp(last.place), blockNumber, isNative };
  return recent.length === 0 ? position : { ...position, recent: recentInstants(recent) };
}

function recentInstants(recent: readonly ConsensusTimestamp[]): RecentInstants {
  const oldest = recent.reduce((least, each) => (each < least ? each : least));
  // Of a ledger that has just begun, what steps back before its begin belongs to it too.
  const from = recent.length < RECENT_UNITS ? oldest - BEFORE_FIRST : oldest - 1n;
  return { instants: new Set(recent), from: consensusTimestamp(from < 0n ? 0n : from) };
}

/**
 * The instant of a stored unit, by which sources list: of a record file that in its name, since the times inside may
 * step back, and the next file may begin before they end.
 */
export function beginOf({ consensusEnd, consensusStart, kind, name }: UnitHeader): ConsensusTimestamp {
  if (kind === 'fixture') return consensusEnd;
  const parsed = parseStreamFileName(name);
  return parsed?.kind === 'record' ? parsed.instant : consensusStart;
}

/** Units that begin later than the result are wanted: those from `start` on, and none that is stored. */
function laterOf(stored: SourcePosition | null, start: ConsensusTimestamp | null): SourcePosition | null {
  if (start === null || (stored !== null && stored.time >= start)) return stored;
  return { time: consensusTimestamp(start - 1n), blockNumber: null, isNative: stored?.isNative ?? false };
}
