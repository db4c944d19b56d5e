import { StorageFaultError } from '../values/storage-errors.ts';
import type { DatabaseHealth } from './database-health.ts';
import type { HealthWrites } from './health-writes.sqlite.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { Writer } from './writer/writer.ts';

/** The row is that of `migrations/sqlite/0015-status-monitor.sql`; other servers on the file write it as well. */
export function createSqliteDatabaseHealth(
  database: SqliteDatabase,
  writer: Writer<HealthWrites>,
): DatabaseHealth {
  const read = database.prepare('SELECT at FROM health_row').pluck();
  return {
    async check(now) {
      await writer.write('touch', now, { patienceMs: 0 });
      if (read.get() === undefined) throw new StorageFaultError('a row was written, but cannot be read back');
    },
  };
}
