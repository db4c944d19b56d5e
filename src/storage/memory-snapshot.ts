import { inTransaction, type SqliteDatabase } from './sqlite.ts';

/** Schema of its own, so that no statement on the tables themselves sees the copies. */
const COPIES = 'snapshot';

/**
 * Remembers the rows of all tables, beside them in memory.
 *
 * @returns brings the database back to them, as often as wanted; statements that are prepared stay so.
 */
export function takeSnapshot(database: SqliteDatabase): () => void {
  const tables = database
    .prepare<[], { name: string; wr: number }>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sqlite_master')",
    )
    .all();
  database.exec(`ATTACH ':memory:' AS ${COPIES}`);
  const restoring = tables.flatMap(({ name, wr }, index) => {
    const columns = database
      .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
      .pluck()
      .all(name)
      .map((column) => `"${column}"`);
    // The place of a row shows in the order of a scan.
    const all = wr === 1 ? columns.join() : ['rowid', ...columns].join();
    const names = columns.map((_, place) => `c${place}`);
    const kept = wr === 1 ? names.join() : ['place', ...names].join();
    const copy = `${COPIES}.t${index}`;
    database.exec(`CREATE TABLE ${copy} (${kept})`);
    database.exec(`INSERT INTO ${copy} SELECT ${all} FROM main."${name}"`);
    return [
      database.prepare(`DELETE FROM main."${name}"`),
      database.prepare(`INSERT INTO main."${name}" (${all}) SELECT ${kept} FROM ${copy}`),
    ];
  });
  return () => {
    // Tables come one after the other; all of them together are as they were.
    database.pragma('foreign_keys = OFF');
    try {
      inTransaction(database, () => {
        for (const statement of restoring) statement.run();
      });
    } finally {
      database.pragma('foreign_keys = ON');
    }
  };
}
