import type { Columns, Load, Rows, Table } from '../../values/stored-tables.ts';
import { answer, doNow, doWork, type Work } from '../../values/work.ts';
import { inTransaction, type SqliteDatabase, type SqliteStatement } from '../sqlite.ts';
import { noteDamage } from '../sqlite-errors.ts';
import {
  type Changes,
  conflictClause,
  preparesBy,
  type RowShape,
  readingBy,
  SQLITE_DIALECT,
  type Sql,
  type SqlStatement,
  type SqlValue,
} from './sql.ts';

class PreparedStatement<Values extends readonly unknown[], Row> implements SqlStatement<Values, Row> {
  readonly #statement: SqliteStatement;

  constructor(statement: SqliteStatement, shape: RowShape, isExact: boolean) {
    this.#statement = statement;
    if (isExact) statement.safeIntegers(true);
    if (shape === 'value') statement.pluck();
    if (shape === 'columns') statement.raw();
  }

  all(...values: Values): Work<readonly Row[]> {
    try {
      return answer(this.#statement.all(...values) as readonly Row[]);
    } catch (error) {
      throw noteDamage(this.#statement.database, error);
    }
  }

  get(...values: Values): Work<Row | undefined> {
    try {
      return answer(this.#statement.get(...values) as Row | undefined);
    } catch (error) {
      throw noteDamage(this.#statement.database, error);
    }
  }

  run(...values: Values): Work<Changes> {
    return answer(this.#statement.run(...values));
  }
}

/**
 * SQLite plans by a bare `limit ?` and therefore prepares the whole statement again at each binding, which takes longer
 * than most pages; it does not look into an expression.
 */
const BOUND_LIMIT = /\blimit (\?|@\w+)/gi;

/** An open SQLite connection as repositories of both engines see it: it answers at once. */
export function sqliteSql(database: SqliteDatabase): Sql {
  const together = database.transaction((work: () => Work<unknown>) => doNow(work()));
  const read: Sql['read'] = (work) => doWork(work(), null);
  const readTogether: Sql['read'] = <T>(work: () => Work<T>) => together(work) as T;
  const load = createSqliteBulkLoad(database);
  const store = createSqliteBulkStore(database);
  return {
    dialect: SQLITE_DIALECT,
    ...preparesBy((text, shape, isExact) => {
      const statement = database.prepare(text.replace(BOUND_LIMIT, 'limit ($1 + 0)'));
      return new PreparedStatement(statement, shape, isExact);
    }),
    read,
    readTogether,
    reading: readingBy(read),
    readingTogether: readingBy(readTogether),
    load: (wanted) => answer(load(wanted)),
    store: (table, rows) => answer(store(table, rows)),
    announce: () => answer(undefined),
    async write(work) {
      return inTransaction(database, () => doNow(work()));
    },
  };
}

/** Loads rows by their keys in one statement for each table. */
function createSqliteBulkLoad(database: SqliteDatabase): (load: Load) => readonly Columns[] {
  const statements = new Map<Table, SqliteStatement>();
  return ({ keys, match, table }) => {
    let statement = statements.get(table);
    if (statement === undefined) {
      statement = database.prepare(match === 'newest-before' ? before(table) : byKey(table, match));
      // Read row by row and not as a type: the columns are those of the table.
      statement.safeIntegers(true).raw(true);
      statements.set(table, statement);
    }
    return statement.all(jsonKeys(keys)) as readonly Columns[];
  };
}

/** Int64 keeps all its digits in SQLite's JSON. */
function jsonKeys(keys: readonly (readonly bigint[])[]): string {
  return `[${keys.map((key) => (key.length === 1 ? key[0] : `[${key.join(',')}]`)).join(',')}]`;
}

function byKey({ columns, keyLength, name }: Table, match: Load['match']): string {
  const equalIn = (row: string) =>
    columns
      .slice(0, keyLength)
      .map((column, index) => `${row}.${column} = ${keyLength === 1 ? 'k.value' : `k.value ->> ${index}`}`);
  const isEqual = equalIn('t');
  const time = columns[keyLength];
  if (match === 'newest') {
    isEqual.push(`t.${time} = (select max(n.${time}) from ${name} n where ${equalIn('n').join(' and ')})`);
  }
  return `select ${selected(columns)} from json_each(?) k cross join ${name} t on ${isEqual.join(' and ')}`;
}

function before({ columns, name }: Table): string {
  const [key] = columns;
  return `select distinct ${selected(columns)} from json_each(?) k
    cross join ${name} t on t.${key} = (select max(${key}) from ${name} where ${key} < k.value)`;
}

function selected(columns: readonly string[]): string {
  return columns.map((column) => `t.${column}`).join(', ');
}

/** Rows of one statement: 64 of them take two thirds of the time of one by one, more gain nothing. */
const CHUNKS = [64, 8, 1] as const;

/** Stores rows in few statements for each table. */
function createSqliteBulkStore(database: SqliteDatabase): (table: Table, rows: Rows) => void {
  const prepared = new Map<Table, Map<number, SqliteStatement>>();
  const statementOf = (table: Table, count: number): SqliteStatement => {
    let statements = prepared.get(table);
    if (statements === undefined) {
      statements = new Map();
      prepared.set(table, statements);
    }
    let statement = statements.get(count);
    if (statement === undefined) {
      statement = database.prepare(insert(table, count));
      statements.set(count, statement);
    }
    return statement;
  };
  return (table, rows) => {
    const [largest] = CHUNKS;
    const width = table.columns.length;
    const full = statementOf(table, largest);
    const values = new Array<SqlValue>(largest * width);
    let filled = 0;
    rows.forEach((row) => {
      for (let column = 0; column < width; column++) values[filled++] = row[column] ?? null;
      if (filled < values.length) return;
      // One by one: of an array the driver looks each value up, which takes a third longer.
      full.run(...values);
      filled = 0;
    });
    let stored = 0;
    for (const count of CHUNKS) {
      for (; filled - stored >= count * width; stored += count * width) {
        statementOf(table, count).run(...values.slice(stored, stored + count * width));
      }
    }
  };
}

function insert(table: Table, count: number): string {
  const { columns, name } = table;
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `insert into ${name} (${columns.join(', ')}) values ${rows}${conflictClause(table)}`;
}
