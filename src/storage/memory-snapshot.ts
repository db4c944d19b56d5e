import { inTransaction, type SqliteDatabase } from './sqlite.ts';

/** Schema of its own, so that no statement on the tables themselves sees the copies. */
const COPIES = 'snapshot';

/**
 * Remembers the rows of all tables, beside them in memory.
 *
 * @returns brings the database back to them, as often as wanted; statements that are prepared stay so.
 */
export function takeSnapshot(database: SqliteDatabase): () => void {
  database.exec(`ATTACH ':memory:' AS ${COPIES}`);
  const tables = parentsFirst(database).map(({ name, wr }, index) => {
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
    const { changes } = database.prepare(`INSERT INTO ${copy} SELECT ${all} FROM main."${name}"`).run();
    const empty = database.prepare(`DELETE FROM main."${name}"`);
    const fill = database.prepare(`INSERT INTO main."${name}" (${all}) SELECT ${kept} FROM ${copy}`);
    return { empty, fill, isEmpty: changes === 0 };
  });
  const filled = tables.filter(({ isEmpty }) => !isEmpty);
  const restore = () => {
    for (const { empty } of tables.toReversed()) empty.run();
    for (const { fill } of filled) fill.run();
  };
  return () => inTransaction(database, restore);
}

interface Table {
  readonly name: string;
  /** 1 for WITHOUT ROWID. */
  readonly wr: number;
}

/** In this order no row ever lacks the one that it refers to; to let it lack it would expire every prepared statement. */
function parentsFirst(database: SqliteDatabase): readonly Table[] {
  const waiting = new Set(
    database
      .prepare<[], Table>(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sqlite_master')",
      )
      .all(),
  );
  const parents = database
    .prepare<[string], string>('SELECT "table" FROM pragma_foreign_key_list(?)')
    .pluck();
  const placed: Table[] = [];
  while (waiting.size > 0) {
    const left = new Set([...waiting].map(({ name }) => name));
    const ready = [...waiting].filter(({ name }) =>
      parents.all(name).every((parent) => parent === name || !left.has(parent)),
    );
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${[...left].join(', ')}`);
    for (const table of ready) {
      placed.push(table);
      waiting.delete(table);
    }
  }
  return placed;
}
