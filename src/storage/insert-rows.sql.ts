import type { Work } from '../values/work.ts';
import type { Sql, SqlValue } from './sql/sql.ts';

/** Rows of one statement, most first: each statement is a round trip where the database is elsewhere. */
const SIZES = [16, 4, 1] as const;

/**
 * Prepares to insert any number of rows.
 *
 * @param into the table with its columns, as in `t (a, b)`.
 * @param columns how many there are.
 * @param conflict what happens to rows that are there, as in `ON CONFLICT (a) DO NOTHING`.
 */
export function prepareInsertRows<Row extends readonly SqlValue[]>(
  sql: Sql,
  into: string,
  columns: Row['length'],
  conflict = '',
): (rows: readonly Row[]) => Work<void> {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const statements = SIZES.map((size) => ({
    size,
    insert: sql.prepare<readonly SqlValue[]>(
      `INSERT INTO ${into} VALUES ${Array<string>(size).fill(row).join(', ')} ${conflict}`,
    ),
  }));
  return function* (rows) {
    let done = 0;
    for (const { insert, size } of statements) {
      for (; rows.length - done >= size; done += size) {
        yield* insert.run(...rows.slice(done, done + size).flat());
      }
    }
  };
}
