import type { SqliteDatabase } from './sqlite.ts';
import { withoutWaiting } from './without-waiting.ts';

/** Writes and reads one row, to see whether the database works. */
export interface DatabaseHealth {
  /**
   * @param now goes into the row, UTC milliseconds.
   * @returns false when another process or thread holds the write lock.
   * @throws the driver's error when it cannot be written or reads something else.
   */
  check(now: number): boolean;
}

/** The row is that of `migrations/sqlite/0015-status-monitor.sql`. */
export function createDatabaseHealth(database: SqliteDatabase): DatabaseHealth {
  const write = database.prepare(
    'INSERT INTO health_row (id, at) VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
  );
  const read = database.prepare('SELECT at FROM health_row').pluck();
  return {
    check(now) {
      if (!withoutWaiting(database, () => void write.run(now))) return false;
      const found = read.get();
      if (found !== now) throw new Error(`wrote ${now} and read ${String(found)}`);
      return true;
    },
  };
}
