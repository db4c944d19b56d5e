import type { Clock } from '../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { NetworkEnd } from '../units/stream-source.ts';
import type { ImportProgress } from './import-report.ts';
import type { IngestLog } from './ingest-log.ts';
import type { IngestState } from './ingest-state.ts';

/** How fast a source carries its units into the ledger. */
export interface Pace {
  readonly unitsPerSecond: number;
  readonly transactionsPerSecond: number;
  /** Seconds of consensus time in a second of work: above 1 it catches up. */
  readonly ledgerSecondsPerSecond: number;
}

/** Units that were stored, as of one moment. */
interface Sample {
  readonly atMs: number;
  readonly units: number;
  readonly transactions: number;
  readonly consensusEnd: ConsensusTimestamp;
}

/** What lies no further behind needs no forecast. */
export const CAUGHT_UP_SECONDS = 60;
/** Over how long a pace is measured. */
const WINDOW_MS = 30_000;
const SAMPLE_EVERY_MS = 1000;
const NANOS_PER_MS = 1_000_000n;

/** Measures the pace of the last half minute. */
export class PaceMeter {
  #samples: readonly Sample[] = [];
  #units = 0;
  #transactions = 0;

  /** A unit was stored. */
  add(transactions: number, consensusEnd: ConsensusTimestamp, nowMs: number): void {
    this.#units++;
    this.#transactions += transactions;
    const last = this.#samples.at(-1);
    if (last !== undefined && nowMs - last.atMs < SAMPLE_EVERY_MS) return;
    const sample = { atMs: nowMs, units: this.#units, transactions: this.#transactions, consensusEnd };
    this.#samples = [...this.#samples.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS), sample];
  }

  /** Null until units came for a second at least, and when none came for long. */
  current(nowMs: number): Pace | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || nowMs - last.atMs > WINDOW_MS) return null;
    const seconds = (last.atMs - first.atMs) / 1000;
    if (seconds <= 0) return null;
    const ledgerMs = Number((last.consensusEnd - first.consensusEnd) / NANOS_PER_MS);
    return {
      unitsPerSecond: round((last.units - first.units) / seconds),
      transactionsPerSecond: round((last.transactions - first.transactions) / seconds),
      ledgerSecondsPerSecond: round(ledgerMs / 1000 / seconds),
    };
  }
}

/** Seconds of consensus time between the ledger and the network; null where nobody knows. */
export function secondsBehind(
  { time }: NetworkEnd,
  { lastConsensusTimestamp: last }: IngestState,
): number | null {
  if (time === null || last === null) return null;
  return time <= last ? 0 : Number((time - last) / NANOS_PER_MS) / 1000;
}

/**
 * Seconds until a ledger that lies behind has caught up, while the network goes on too.
 *
 * @returns null when it does not come nearer
 */
export function secondsToCatchUp(secondsBehind: number, { ledgerSecondsPerSecond }: Pace): number | null {
  const gain = ledgerSecondsPerSecond - 1;
  return gain <= 0 ? null : Math.round(secondsBehind / gain);
}

/** `3 h 20 min`, `12 min`, `40 s`. */
export function describeSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.round(seconds)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  return days === 0 ? `${hours} h ${minutes % 60} min` : `${days} d ${hours % 24} h`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const LOG_EVERY_MS = 5000;

/**
 * Logs how far an import is, one line every five seconds: rate, and when it will have caught up; a source that keeps up has
 * nothing to tell.
 */
export function logProgress(log: IngestLog, clock: Clock): (progress: ImportProgress) => void {
  let told = clock.now();
  return ({ isWatched, name, state, transactions, unitsDone, unitsTotal }) => {
    const behind = secondsBehindNow(state, clock.now());
    const isNearEnd = isWatched ? behind < CAUGHT_UP_SECONDS : unitsTotal - unitsDone < 2;
    if (isNearEnd || clock.now() - told < LOG_EVERY_MS) return;
    told = clock.now();
    const { pace, source } = state;
    const rate = pace === null ? '' : `, ${pace.unitsPerSecond} units/s`;
    const fields = { source, unitsDone, unitsTotal, transactions, ...(pace ?? {}) };
    if (!isWatched) {
      const seconds = pace === null ? 0 : (unitsTotal - unitsDone) / pace.unitsPerSecond;
      const left = seconds > 0 && Number.isFinite(seconds) ? `, about ${describeSeconds(seconds)} left` : '';
      log.info(fields, `importing: ${unitsDone} of ${unitsTotal} units, ${name}${rate}${left}`);
      return;
    }
    const left = pace === null ? null : secondsToCatchUp(behind, pace);
    const forecast = left === null ? '' : `, caught up in about ${describeSeconds(left)}`;
    log.info(
      { ...fields, secondsBehind: Math.round(behind) },
      `importing from ${source}: ${name}${rate}, ${describeSeconds(behind)} behind${forecast}`,
    );
  };
}

/** Behind the newest unit of the network, as far as the source knows it, else behind the present. */
function secondsBehindNow(state: IngestState, nowMs: number): number {
  const { lastConsensusTimestamp: last, standing } = state;
  const told = standing?.newest == null ? null : secondsBehind(standing.newest, state);
  if (told !== null) return told;
  return last === null ? 0 : Math.max(0, nowMs / 1000 - Number(last / 1_000_000_000n));
}
