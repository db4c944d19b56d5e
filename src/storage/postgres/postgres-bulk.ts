import { answer, type Work } from '../../values/work.ts';
import { type BulkLoad, type BulkRow, type BulkRows, type BulkTable, conflictClause } from '../sql/bulk.ts';
import type { Sql, SqlStatement, SqlValue } from '../sql/sql.ts';
import { toText } from './postgres-types.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Rows of one statement: their values are in memory twice. */
const MOST_ROWS = 10_000;

/** Loads and stores rows in one statement for each table: a list for each column. */
export function createPostgresBulk(sql: Pick<Sql, 'prepare'>) {
  const columnsOf = sql.prepare<[string], Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = cast(? as regclass) and attnum > 0 and not attisdropped`,
  );
  const types = new Map<string, ReadonlyMap<string, string>>();
  const inserts = new Map<BulkTable, SqlStatement<SqlValue[], unknown>>();
  const loads = new Map<string, SqlStatement<unknown[], BulkRow>>();

  function* typesOf(table: string): Work<ReadonlyMap<string, string>> {
    const known = types.get(table);
    if (known !== undefined) return known;
    const found = new Map((yield* columnsOf.all(table)).map(({ name, type }) => [name, type]));
    types.set(table, found);
    return found;
  }

  function* insertInto(table: BulkTable): Work<SqlStatement<SqlValue[], unknown>> {
    const known = inserts.get(table);
    if (known !== undefined) return known;
    const typeOf = yield* typesOf(table.name);
    const lists = table.columns.map((column) => `cast(? as ${typeOf.get(column)}[])`);
    const statement = sql.prepare<SqlValue[], unknown>(
      `insert into ${table.name} (${table.columns.join(', ')})
       select * from unnest(${lists.join(', ')})${conflictClause(table)}`,
    );
    inserts.set(table, statement);
    return statement;
  }

  return {
    *load({ keys, match, table }: BulkLoad): Work<readonly BulkRow[]> {
      if (keys.length === 0) return [];
      const width = keys[0]?.length ?? 0;
      const text = match === 'equal' ? byKey(table, width) : before(table);
      let statement = loads.get(text);
      if (statement === undefined) {
        statement = sql.prepare<unknown[], BulkRow>(text).safeIntegers(true).raw();
        loads.set(text, statement);
      }
      const lists = Array.from({ length: width }, (_, at) => `{${keys.map((key) => key[at]).join(',')}}`);
      return yield* statement.all(...lists);
    },
    *store(table: BulkTable, rows: BulkRows): Work<void> {
      const lists = table.columns.map((): string[] => []);
      const batches: string[][][] = [];
      let count = 0;
      rows.forEach((row) => {
        for (let at = 0; at < lists.length; at++) lists[at]?.push(element(row[at] ?? null));
        count += 1;
        if (count % MOST_ROWS === 0) batches.push(lists.map((list) => list.splice(0)));
      });
      if (lists[0]?.length !== 0) batches.push(lists);
      if (count === 0) return yield* answer(undefined);
      const statement = yield* insertInto(table);
      for (const batch of batches) yield* statement.run(...batch.map((list) => `{${list.join(',')}}`));
    },
  };
}

/** A value as an element of the text of an array. */
function element(value: SqlValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `"${toText(value).replaceAll(/["\\]/g, '\\$&')}"`;
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString();
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`;
}

function byKey({ columns, name }: BulkTable, width: number): string {
  const keys = Array.from({ length: width }, (_, at) => `k${at}`);
  const isEqual = keys.map((key, at) => `t.${columns[at]} = k.${key}`);
  const lists = keys.map(() => 'cast(? as bigint[])');
  return `select ${selected(columns)} from unnest(${lists.join(', ')}) as k(${keys.join(', ')})
    join ${name} t on ${isEqual.join(' and ')}`;
}

function before({ columns, name }: BulkTable): string {
  const [key] = columns;
  return `select distinct ${selected(columns)} from unnest(cast(? as bigint[])) as k(value)
    join ${name} t on t.${key} = (select max(${key}) from ${name} where ${key} < k.value)`;
}

function selected(columns: readonly string[]): string {
  return columns.map((column) => `t.${column}`).join(', ');
}
