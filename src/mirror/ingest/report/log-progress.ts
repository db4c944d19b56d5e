import type { Clock } from '../../../values/clock.ts';
import type { ImportProgress } from './import-report.ts';
import type { IngestLog } from './ingest-log.ts';

const LOG_EVERY_MS = 5000;

/** Logs how far an import is, one line every five seconds; a source that keeps up has nothing to tell. */
export function logProgress(log: IngestLog, clock: Clock): (progress: ImportProgress) => void {
  let told = clock.now();
  return ({ name, transactions, unitsDone, unitsTotal }) => {
    const isNearEnd = unitsTotal - unitsDone < 2;
    if (isNearEnd || clock.now() - told < LOG_EVERY_MS) return;
    told = clock.now();
    log.info(
      { unitsDone, unitsTotal, transactions },
      `importing: ${unitsDone} of ${unitsTotal} units, ${name}`,
    );
  };
}
