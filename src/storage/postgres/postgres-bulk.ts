import type pg from 'pg';
import type { Wait, Work } from '../../values/work.ts';
import { type BulkRows, type BulkTable, conflictClause } from '../sql/bulk.ts';
import type { Sql, SqlStatement, SqlValue } from '../sql/sql.ts';
import { bulkLoad } from './bulk-load.ts';
import { COPIED_TYPES, copyOf } from './copy-rows.ts';
import { createPartitions, PartitionBegins } from './partitions.ts';

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
const MOST_ROWS = 10_000;
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
  const inserts = new Map<BulkTable, SqlStatement<SqlValue[], unknown>>();
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

  function* insertInto(table: BulkTable): Work<SqlStatement<SqlValue[], unknown>> {
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

  function insertOf(table: BulkTable, rows: BulkRows): () => Work<void> {
    const lists = table.columns.map((): string[] => []);
    const batches: string[][][] = [];
    let count = 0;
    rows.forEach((row) => {
      for (let at = 0; at < lists.length; at++) lists[at]?.push(element(row[at] ?? null));
      count += 1;
      if (count % MOST_ROWS === 0) batches.push(lists.map((list) => list.splice(0)));
    });
    if (lists[0]?.length !== 0) batches.push(lists);
    return function* () {
      if (count === 0) return;
      const statement = yield* insertInto(table);
      for (const batch of batches) yield* statement.run(...batch.map((list) => `{${list.join(',')}}`));
    };
  }

  /** They are inserted when one is there already. */
  function keepingOf(table: BulkTable, rows: BulkRows): () => Work<void> {
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
    fail: (table: BulkTable, rows: BulkRows) => copyOf(table, rows).send,
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
      const begins = new PartitionBegins();
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
function noting(rows: BulkRows, timeIndex: number, begins: PartitionBegins): BulkRows {
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
