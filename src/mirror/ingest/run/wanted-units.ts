import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { joinSignals } from '../../../values/joined-signal.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { UnitHeader } from '../../ledger/rows.ts';
import { parseStreamFileName } from '../units/stream-file-name.ts';
import type { RecentInstants, SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';

/** How far back names are compared one by one. */
interface Lookback {
  readonly units: number;
  /** Nanoseconds before the first unit of a ledger that has fewer. */
  readonly beforeFirst: bigint;
}

/** Of a source that is looked at again and again; on public networks about a minute. */
export const WATCHED_LOOKBACK: Lookback = { units: 32, beforeFirst: 10_000_000_000n };
/** Of one that is imported once. */
export const WHOLE_LOOKBACK: Lookback = { units: 512, beforeFirst: 900_000_000_000n };

/** From the begin of one unit to that of another; null for no bound. */
interface WantedRange {
  readonly start?: ConsensusTimestamp | null;
  readonly end?: ConsensusTimestamp | null;
}

/** Walks over the units behind the end of the ledger, from `start` to `end`. */
export async function findWantedUnits(
  source: StreamSource,
  ledgerEnd: SourcePosition | null,
  { end, start }: WantedRange,
  signal: AbortSignal | undefined,
) {
  const ending = joinSignals(signal);
  const position = laterOf(ledgerEnd, start ?? null);
  const {
    isNear = false,
    newestOlder = [],
    older,
    olderBlocks = 0,
    pages,
  } = await source.list(position, ending.signal).catch((error) => {
    ending.end();
    throw error;
  });
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
    /** Units before the walk. */
    olderCount: older.length + olderBlocks,
    /** Begins of the older ones that are not before `start`. */
    olderWanted: older.filter((instant) => instant >= (start ?? instant)),
    /** The newest record files of them, from the last one back, as far as the source tells. */
    newestOlder,
    /** Whether reading a unit twice costs little. */
    isNear,
    /** Whether the walk gives the unit although its name is before the end of the ledger. */
    isLate,
    /** The next one in the order of their begins, once the source has it; null when it has no more, or none up to `end`. */
    next: (): Promise<StreamUnit | null> => units.next(),
    /** Units that have come before their turn. */
    get ahead(): readonly StreamUnit[] {
      return units.waiting;
    },
    /** Units that the source has listed so far. */
    get listed(): number {
      return listed;
    },
    /** Whether the source has units beyond `end`, so that it is finished. */
    get isAtEnd(): boolean {
      return isAtEnd && units.waiting.length === 0;
    },
    /** Whether the source has no unit at all, as far as the walk came. */
    get isEmpty(): boolean {
      return older.length + olderBlocks + listed === 0 && !isAtEnd;
    },
    /** Lets go of the source. */
    async close(): Promise<void> {
      // A generator that waits would never come to its return.
      ending.end();
      await walk.return?.();
    },
  };
}

/** Where the stored ledger ends, of whatever kind its last unit is; null when it is empty. */
export async function endOfLedger(
  repository: Pick<LedgerRepository, 'chainEnd' | 'lastUnit' | 'recentUnits'>,
  lookback: Lookback,
): Promise<SourcePosition | null> {
  const last = await repository.lastUnit();
  if (last === null) return null;
  const { blockNumber = null, isNative = false } = (await repository.chainEnd()) ?? {};
  const recent = (await repository.recentUnits(lookback.units)).map(beginOf);
  const begin = recent.reduce((greatest, each) => (each > greatest ? each : greatest), beginOf(last));
  const position = { begin, time: consensusTimestamp(last.place), blockNumber, isNative };
  return recent.length === 0 ? position : { ...position, recent: recentInstants(recent, lookback) };
}

function recentInstants(
  recent: readonly ConsensusTimestamp[],
  { beforeFirst, units }: Lookback,
): RecentInstants {
  const oldest = recent.reduce((least, each) => (each < least ? each : least));
  // Of a ledger that has just begun, what steps back before its begin belongs to it too.
  const from = recent.length < units ? oldest - beforeFirst : oldest - 1n;
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

/** As many checks as there are threads for them. */
const MAX_AHEAD = 4;

/**
 * Asks a source for some units before their turn, so that they can begin with what takes long.
 *
 * Only units that can prepare themselves are asked for: the walk over others stays one step at a time. What is wrong with
 * a unit, or with the source, shows when its turn comes.
 */
export class UnitsAhead {
  readonly #step: () => Promise<StreamUnit | null>;
  /** In their order; each is asked for when the one before has come. */
  readonly #asked: Promise<StreamUnit | null>[] = [];
  readonly #here: StreamUnit[] = [];

  /** @param step gives the next unit of the source; null at its end */
  constructor(step: () => Promise<StreamUnit | null>) {
    this.#step = step;
  }

  async next(): Promise<StreamUnit | null> {
    const asked = this.#asked.shift();
    const unit = await (asked ?? this.#step());
    if (asked !== undefined) this.#here.shift();
    if (unit?.prepare !== undefined) this.#askAhead();
    return unit;
  }

  /** Those that have come and wait for their turn. */
  get waiting(): readonly StreamUnit[] {
    return this.#here;
  }

  #askAhead(): void {
    while (this.#asked.length < MAX_AHEAD) {
      const before = this.#asked.at(-1) ?? Promise.resolve();
      const unit = before.then(() => this.#ask());
      // A fault is told in its turn; until then it is no unhandled one.
      unit.catch(() => {});
      this.#asked.push(unit);
    }
  }

  async #ask(): Promise<StreamUnit | null> {
    const unit = await this.#step();
    if (unit !== null) this.#here.push(unit);
    return unit;
  }
}
