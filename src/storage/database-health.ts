import type { HealthWrites } from './health-writes.sqlite.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { StorageBusyError } from './storage-errors.ts';
import type { Writer } from './writer/writer.ts';

/** Writes and reads one row, to see whether the database works. */
export interface DatabaseHealth {
  /**
   * @param now goes into the row, UTC milliseconds.
   * @returns false when another process or thread holds the write lock.
   * @throws StorageFaultError or the driver's error when it cannot be written or read.
   */
  check(now: number): Promise<boolean>;
}

/** The row is that of `migrations/sqlite/0015-status-monitor.sql`; other servers on the file write it as well. */
export function createDatabaseHealth(database: SqliteDatabase, writer: Writer<HealthWrites>): DatabaseHealth {
  const read = database.prepare('SELECT at FROM health_row').pluck();
  return {
    async check(now) {
      try {
        await writer.write('touch', now, { patienceMs: 0 });
      } catch (error) {
        if (error instanceof StorageBusyError) return false;
        throw error;
      }
      if (read.get() === undefined) throw new Error('a row was written, but is not there');
      return true;
    },
  };
}
