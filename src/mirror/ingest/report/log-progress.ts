import type { Clock } from '../../../values/clock.ts';
import type { ImportProgress } from './import-report.ts';
import type { IngestLog } from './ingest-log.ts';
import { CAUGHT_UP_SECONDS, type IngestState, secondsBehind } from './ingest-state.ts';
import { describeSeconds, secondsToCatchUp } from './pace.ts';

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
