import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type { DatabaseLocation } from '../store/database-url.ts';
import { logMigration } from '../store/log-migration.ts';
import { blockingMigrations } from '../store/open-store.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';

/**
 * Lets another process apply the migrations that would hold up this one, so that it can be asked to stop meanwhile. Only
 * process 1 needs that: every other process is ended by the kernel, and all processes of a container end with process 1.
 *
 * @throws LedgerlensError `migration_refused` with what the other process reported.
 */
export async function migrateApart(database: DatabaseLocation, log: Logger): Promise<void> {
  if (process.pid !== 1 || blockingMigrations(database).length === 0) return;
  const [, main = ''] = process.argv;
  const ended = promisify(execFile)(process.execPath, [...process.execArgv, main, 'migrate', '--json']);
  const { stdout } = await ended.catch((cause: { readonly stderr: string }) => {
    throw new LedgerlensError('migration_refused', cause.stderr.trim(), { cause });
  });
  const { migrations } = JSON.parse(stdout) as { readonly migrations: readonly string[] };
  migrations.forEach(logMigration(log));
}
