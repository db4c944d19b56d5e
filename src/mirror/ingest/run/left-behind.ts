import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LeftBehind } from '../report/import-report.ts';
import type { IngestLog } from '../report/ingest-log.ts';

export interface LeftBehindDependencies {
  readonly repository: Pick<LedgerRepository, 'unknownStarts'>;
  /** Name of the source. */
  readonly source: string;
  readonly log: Pick<IngestLog, 'warn'>;
}

/**
 * Finds and tells the units that begin before the end of the ledger and are not in it.
 *
 * @param older begins of the source's units before that end, ascending
 */
export async function findLeftBehind(
  older: readonly ConsensusTimestamp[],
  { log, repository, source }: LeftBehindDependencies,
): Promise<LeftBehind | null> {
  const unknown = await repository.unknownStarts(older);
  const [first, last] = [unknown.at(0), unknown.at(-1)];
  if (first === undefined || last === undefined) return null;
  log.warn(
    { source, units: unknown.length, first: printTimestamp(first), last: printTimestamp(last) },
    'units are before the end of the ledger and were skipped: import older files first, or all of them into a new database',
  );
  return { units: unknown.length, first, last };
}
