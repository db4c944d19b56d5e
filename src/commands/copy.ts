import { readConfig } from '../config.ts';
import { type DatabaseLocation, faultOfDatabaseUrl, parseDatabaseUrl } from '../store/database-url.ts';
import { copyStore } from '../store/open-store.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';
import { createProgressLine } from './progress-line.ts';

/** `ledgerlens copy --from URL --to URL`: a whole installation in another database; exit code 1 when they differ. */
export async function execute({ env, values }: Invocation): Promise<number> {
  if (values['from'] === undefined && values['to'] === undefined) {
    throw new LedgerlensError('usage', 'Specify --from or --to; the omitted side defaults to DATABASE_URL');
  }
  const locationOf = (flag: 'from' | 'to'): DatabaseLocation => {
    const url = values[flag];
    if (typeof url !== 'string') return readConfig(env).database;
    const fault = faultOfDatabaseUrl(url);
    if (fault !== null) throw new LedgerlensError('usage', `--${flag} ${fault}`);
    return parseDatabaseUrl(url);
  };
  const [from, to] = [locationOf('from'), locationOf('to')];
  if (from.url === to.url) throw new LedgerlensError('usage', 'Source and target are the same database');
  const line = createProgressLine();
  try {
    const report = await copyStore(from, to, (done, what, table) =>
      line.show({ done, total: null, what: 'rows', detail: `${what} ${table}` }),
    );
    line.close();
    for (const { table, from: source, to: target } of report.differences) {
      console.error(
        `${table} differs: ${source.rows} rows ${source.digest}, now ${target.rows} rows ${target.digest}`,
      );
    }
    if (report.differences.length > 0) {
      console.error(
        'One of the databases changed during the copy. Stop every server, empty the target and copy again.',
      );
      return 1;
    }
    const how = report.isContinued ? 'continued and compared' : 'copied and compared';
    console.log(`${report.rows} rows of ${report.tables} tables ${how}: both databases are identical.`);
    return 0;
  } finally {
    line.close();
  }
}
