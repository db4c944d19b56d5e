import type { Sql } from '../../../storage/sql/sql.ts';
import type { Columns, Rows, Table } from '../../../values/stored-tables.ts';
import type { Work } from '../../../values/work.ts';
import type { RowStore } from '../fold/fold-state.ts';
import type { TimeSpan } from '../place-of-time.sql.ts';

/** One text for each row, whatever engine it comes from. */
export function printRow(row: Columns): string {
  return row
    .map((value) => {
      if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
      return typeof value === 'string' ? JSON.stringify(value) : `${value}`;
    })
    .join();
}

/** Whether a table contains the rows of these stores, which are all of one table, and in these spans of time no others. */
type AreStored = (stores: readonly RowStore[], spans: readonly TimeSpan[]) => Work<boolean>;

/** @param searched tables without an index by time, which other tables lead to: of these, rows are looked up one by one. */
export function createRowComparison(sql: Sql, searched: ReadonlySet<string>): AreStored {
  const prepare = ({ columns, name }: Table) =>
    searched.has(name)
      ? sql.prepareExactColumns<unknown[], Columns>(
          `select ${columns.join(', ')} from ${name} where ${columns.map((each) => `${each} = ?`).join(' and ')}`,
        )
      : sql.prepareExactColumns<unknown[], Columns>(
          `select ${columns.join(', ')} from ${name} where consensus_ts between ? and ?`,
        );
  const prepared = new Map<Table, ReturnType<typeof prepare>>();
  return function* (stores, spans) {
    const table = stores[0]?.table;
    if (table === undefined) return true;
    const wanted = rowsOnceStored(
      table,
      stores.map(({ rows }) => rows),
    );
    const statement = prepared.get(table) ?? prepare(table);
    prepared.set(table, statement);
    if (searched.has(table.name)) {
      for (const row of wanted) if ((yield* statement.get(...row)) === undefined) return false;
      return true;
    }
    const found: string[] = [];
    for (const span of spans) found.push(...(yield* statement.all(...span)).map(printRow));
    return found.sort().join('\n') === wanted.map(printRow).sort().join('\n');
  };
}

/** The rows that a table has once all of these are stored in it. */
function rowsOnceStored({ keyLength, onConflict }: Table, rows: readonly Rows[]): readonly Columns[] {
  const byKey = new Map<string, Columns>();
  for (const each of rows) {
    each.forEach((row) => {
      const key = printRow(keyLength === 0 ? row : row.slice(0, keyLength));
      if (onConflict === 'replace' || !byKey.has(key)) byKey.set(key, row);
    });
  }
  return [...byKey.values()];
}

/** A table, and the columns of its primary key, in their order. */
interface KeyedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

const PAGE = 1000;

/** Whether a table of one database holds the same rows as that of another; with `mayHaveMore` at least these. */
export function* holdsRowsOf(
  stored: Sql,
  built: Sql,
  table: KeyedTable,
  mayHaveMore: boolean,
): Work<boolean> {
  const next = pagesOf(built, table);
  const where = table.key.map((name) => `${name} = ?`).join(' and ');
  const find = stored.prepareExactColumns<unknown[], Columns>(
    `select ${table.columns.join(', ')} from ${table.name} where ${where}`,
  );
  let rows = 0;
  for (let last: Columns | null = null; ; ) {
    const page: readonly KeyedRow[] = yield* next(last);
    if (page.length === 0) break;
    for (const { key, row } of page)
      if (printRow((yield* find.get(...key)) ?? []) !== printRow(row)) return false;
    rows += page.length;
    last = page.at(-1)?.key ?? null;
  }
  if (mayHaveMore) return true;
  return (yield* stored.prepareValue<[], number>(`select count(*) from ${table.name}`).get()) === rows;
}

interface KeyedRow {
  readonly key: Columns;
  readonly row: Columns;
}

function pagesOf(
  sql: Sql,
  { columns, key, name }: KeyedTable,
): (after: Columns | null) => Work<readonly KeyedRow[]> {
  const order = key.join(', ');
  const select = (where: string) =>
    `select ${order}, ${columns.join(', ')} from ${name} ${where} order by ${order} limit ${PAGE}`;
  const first = sql.prepareExactColumns<[], Columns>(select(''));
  const next = sql.prepareExactColumns<unknown[], Columns>(
    select(`where (${order}) > (${key.map(() => '?').join(', ')})`),
  );
  return function* (after) {
    const page = yield* after === null ? first.all() : next.all(...after);
    return page.map((row) => ({ key: row.slice(0, key.length), row: row.slice(key.length) }));
  };
}
