import type { Work } from '../values/work.ts';
import type { Sql } from './sql/sql.ts';

/** The write that shows whether the database works; it changes `health_row`. */
export type HealthWrites = ReturnType<typeof healthWrites>;

export function healthWrites(sql: Sql) {
  const write = sql.prepare(
    'INSERT INTO health_row (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  return {
    /** @param at goes into the row, UTC milliseconds. */
    *touch(at: number): Work<void> {
      yield* write.run(at);
    },
  };
}
