import type { SqliteDatabase } from './sqlite.ts';

/** The write that shows whether the database works; the row is that of `migrations/sqlite/0015-status-monitor.sql`. */
export type HealthWrites = ReturnType<typeof healthWrites>;

export function healthWrites(database: SqliteDatabase) {
  const write = database.prepare(
    'INSERT INTO health_row (id, at) VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
  );
  return {
    /** @param at goes into the row, UTC milliseconds. */
    touch: (at: number): void => void write.run(at),
  };
}
