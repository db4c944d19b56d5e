import type pg from 'pg';
import { NANOS_PER_MILLISECOND } from '../../values/consensus-timestamp.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Columns, Load, Rows, Table } from '../../values/stored-tables.ts';
import type { Wait, Work } from '../../values/work.ts';
import { conflictClause, type Sql, type SqlStatement, type SqlValue } from '../sql/sql.ts';
import { COPIED_TYPES, copyOf } from './copy-rows.ts';
import { typesOf } from './postgres-types.ts';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  /** Such as `RANGE (consensus_ts)`; null for a table without partitions. */
  readonly partitionedBy: string | null;
}

/** What the database tells of a table. */
interface KnownTable {
  readonly typeOf: ReadonlyMap<string, string>;
  /** The column whose times tell the partition; null for a table without partitions. */
  readonly timeColumn: string | null;
}

/** Rows of one statement: their values are in memory twice. */
const MAX_ROWS = 10_000;
/** Fewer are inserted in one round trip sooner than they are copied in three. */
const FEWEST_COPIED = 100;
const UNIQUE_VIOLATION = '23505';

/**
 * Loads and stores rows together: by COPY where no row may be there already, or will be, else in one statement with a list
 * for each column.
 *
 * @see docs/adr/0008-postgresql.md
 */
export function createPostgresBulk(sql: Pick<Sql, 'prepare'>): Pick<Sql, 'load' | 'store'> {
  const columnsOf = sql.prepare<[string], ColumnRow>(
    `select attname as name, format_type(atttypid, null) as type, pg_get_partkeydef(attrelid) as partitionedBy
     from pg_attribute where attrelid = cast(? as regclass) and attnum > 0 and not attisdropped`,
  );
  const tables = new Map<string, KnownTable>();
  const inserts = new Map<Table, SqlStatement<SqlValue[], unknown>>();
  const makePartitions = createPartitions(sql);

  function* known(name: string): Work<KnownTable> {
    const found = tables.get(name);
    if (found !== undefined) return found;
    const columns = yield* columnsOf.all(name);
    const table = {
      typeOf: new Map(columns.map((column) => [column.name, column.type])),
      timeColumn: /\((\w+)\)/.exec(columns[0]?.partitionedBy ?? '')?.[1] ?? null,
    };
    tables.set(name, table);
    return table;
  }

  function* insertInto(table: Table): Work<SqlStatement<SqlValue[], unknown>> {
    const found = inserts.get(table);
    if (found !== undefined) return found;
    const { typeOf } = yield* known(table.name);
    const lists = table.columns.map((column) => `cast(? as ${typeOf.get(column)}[])`);
    const statement = sql.prepare<SqlValue[], unknown>(
      `insert into ${table.name} (${table.columns.join(', ')})
       select * from unnest(${lists.join(', ')})${conflictClause(table)}`,
    );
    inserts.set(table, statement);
    return statement;
  }

  function insertOf(table: Table, rows: Rows): () => Work<void> {
    const lists = table.columns.map((): string[] => []);
    const batches: string[][][] = [];
    let count = 0;
    rows.forEach((row) => {
      for (let at = 0; at < lists.length; at++) lists[at]?.push(element(row[at] ?? null));
      count += 1;
      if (count % MAX_ROWS === 0) batches.push(lists.map((list) => list.splice(0)));
    });
    if (lists[0]?.length !== 0) batches.push(lists);
    return function* () {
      if (count === 0) return;
      const statement = yield* insertInto(table);
      for (const batch of batches) yield* statement.run(...batch.map((list) => `{${list.join(',')}}`));
    };
  }

  /** They are inserted when one is there already. */
  function keepingOf(table: Table, rows: Rows): () => Work<void> {
    const { count, send } = copyOf(table, rows);
    if (count < FEWEST_COPIED) return insertOf(table, rows);
    return function* () {
      yield say('savepoint before_copy');
      try {
        yield* send();
      } catch (error) {
        if ((error as { readonly code?: string }).code !== UNIQUE_VIOLATION) throw error;
        yield say('rollback to savepoint before_copy');
        yield* insertOf(table, rows)();
      }
      yield say('release savepoint before_copy');
    };
  }

  const takers = {
    fail: (table: Table, rows: Rows) => copyOf(table, rows).send,
    keep: keepingOf,
    replace: insertOf,
  };

  return {
    load: bulkLoad,
    *store(table, rows) {
      const { timeColumn, typeOf } = yield* known(table.name);
      const hasCopiedTypes = table.columns.every((column) => COPIED_TYPES.has(typeOf.get(column)));
      const isInserted = table.onConflict === 'keep' && !(table.isOnceTold === true && hasCopiedTypes);
      const take = isInserted ? insertOf : takers[table.onConflict];
      if (timeColumn === null) return yield* take(table, rows)();
      const begins = new PartitionStarts();
      const send = take(table, noting(rows, table.columns.indexOf(timeColumn), begins));
      yield* makePartitions(table.name, begins);
      yield* send();
    },
  };
}

/** A statement without values and rows. */
function say(text: string): Wait {
  return (connection) => (connection as pg.ClientBase).query(text);
}

/** Notes the partition of each row as it is taken: making the rows twice would cost as much as storing them. */
function noting(rows: Rows, timeIndex: number, begins: PartitionStarts): Rows {
  return {
    forEach(take) {
      rows.forEach((row) => {
        begins.add(BigInt(row[timeIndex] as bigint | number));
        take(row);
      });
    },
  };
}

/** A value as an element of the text of an array, which is escaped as a whole. */
function element(value: SqlValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString();
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`;
}

/**
 * Loads rows by their keys in one statement.
 *
 * It has no name: a plan that was made when the table was small would go on reading all of it.
 */
function* bulkLoad({ keys, match, table }: Load): Work<readonly Columns[]> {
  if (keys.length === 0) return [];
  const width = keys[0]?.length ?? 0;
  const query = {
    text: match === 'newest-before' ? before(table) : byKey(table, width, match),
    values: Array.from({ length: width }, (_, at) => `{${keys.map((key) => key[at]).join(',')}}`),
    types: typesOf(true),
    rowMode: 'array' as const,
  };
  const { rows } = (yield (connection) => (connection as pg.ClientBase).query(query)) as pg.QueryResult;
  // Read row by row and not as a type: the columns are those of the table.
  return rows as unknown as readonly Columns[];
}

function byKey({ columns, name }: Table, width: number, match: Load['match']): string {
  const keys = Array.from({ length: width }, (_, at) => `k${at}`);
  const equalIn = (row: string) => keys.map((key, at) => `${row}.${columns[at]} = k.${key}`);
  const isEqual = equalIn('t');
  const time = columns[width];
  if (match === 'newest') {
    isEqual.push(`t.${time} = (select max(n.${time}) from ${name} n where ${equalIn('n').join(' and ')})`);
  }
  const lists = keys.map((_, at) => `$${at + 1}::bigint[]`);
  return `select ${selected(columns)} from unnest(${lists.join(', ')}) as k(${keys.join(', ')})
    join ${name} t on ${isEqual.join(' and ')}`;
}

function before({ columns, name }: Table): string {
  const [key] = columns;
  return `select distinct ${selected(columns)} from unnest($1::bigint[]) as k(value)
    cross join lateral (select * from ${name} where ${key} < k.value order by ${key} desc limit 1) t`;
}

function selected(columns: readonly string[]): string {
  return columns.map((column) => `t.${column}`).join(', ');
}

/** Nanoseconds of a partition: 90 days. */
const SPAN = 90n * 86_400n * 1_000_000_000n;
interface PartitionRow {
  readonly name: string;
  /** Whether the transaction that asks has made it, which may still be rolled back. */
  readonly isNew: number;
}

/** The partitions that times fall into, by their begins. */
class PartitionStarts {
  readonly #begins = new Set<bigint>();
  #newest: bigint | null = null;

  add(time: bigint): void {
    if (this.#newest !== null && time >= this.#newest && time < this.#newest + SPAN) return;
    this.#newest = time - (((time % SPAN) + SPAN) % SPAN);
    this.#begins.add(this.#newest);
  }

  get all(): Iterable<bigint> {
    return this.#begins;
  }
}

/**
 * Makes partitions that are not there, in the transaction that stores rows in them.
 *
 * @returns what is called with a table that is partitioned by a time in nanoseconds.
 * @see docs/adr/0008-postgresql.md
 */
function createPartitions(sql: Pick<Sql, 'prepare'>): (table: string, begins: PartitionStarts) => Work<void> {
  const find = sql.prepare<[string], PartitionRow>(
    `select relname as name, xmin = cast(pg_current_xact_id() as xid) as isNew from pg_class
     where oid = to_regclass(?)`,
  );
  const known = new Set<string>();
  return function* (table, begins) {
    for (const begin of begins.all) {
      const name = `${table}_${dateOf(begin)}`;
      if (known.has(name)) continue;
      const found = yield* find.get(name);
      if (found === undefined) yield* sql.prepare(creation(table, name, begin)).run();
      else if (found.isNew === 0) known.add(name);
    }
  };
}

/** Attaching lets readers go on, other than `create table … partition of`. */
function creation(table: string, name: string, begin: bigint): string {
  const end = begin + SPAN;
  const from = begin < MIN_INT64 ? 'minvalue' : begin;
  const to = end > MAX_INT64 ? 'maxvalue' : end;
  return `do $$ begin
    create table ${name} (like ${table} including defaults including constraints);
    alter table ${table} attach partition ${name} for values from (${from}) to (${to});
  end $$`;
}

/** The day on which it begins. */
function dateOf(begin: bigint): string {
  return new Date(Number(begin / NANOS_PER_MILLISECOND)).toISOString().slice(0, 10).replaceAll('-', '');
}
