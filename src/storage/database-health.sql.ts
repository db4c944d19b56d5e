import { StorageFaultError } from '../values/storage-errors.ts';
import type { DatabaseHealth } from './database-health.ts';
import type { HealthWrites } from './health-writes.sql.ts';
import type { Sql } from './sql/sql.ts';
import type { Writer } from './writer/writer.ts';

/** The row of `health_row`; other servers on the file write it as well. */
export function createDatabaseHealth(sql: Sql, writer: Writer<HealthWrites>): DatabaseHealth {
  const read = sql.prepareValue('SELECT at FROM health_row');
  return {
    async check(now) {
      await writer.write('touch', now, { patienceMs: 0 });
      if ((await sql.read(() => read.get())) === undefined)
        throw new StorageFaultError('a row was written, but cannot be read back');
    },
  };
}
