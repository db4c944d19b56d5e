import { answer, doNow, doWork, type Work } from '../../values/work.ts';
import { inTransaction, type SqliteDatabase, type SqliteStatement } from '../sqlite.ts';
import type { Changes, Sql, SqlStatement } from './sql.ts';
import { SQLITE_DIALECT } from './sql-dialect.ts';
import { createSqliteBulkLoad } from './sqlite-bulk-load.ts';
import { createSqliteBulkStore } from './sqlite-bulk-store.ts';

class PreparedStatement<Values extends readonly unknown[], Row> implements SqlStatement<Values, Row> {
  readonly #statement: SqliteStatement;

  constructor(statement: SqliteStatement) {
    this.#statement = statement;
  }

  safeIntegers(): this {
    this.#statement.safeIntegers(true);
    return this;
  }

  pluck(): this {
    this.#statement.pluck();
    return this;
  }

  raw(): this {
    this.#statement.raw();
    return this;
  }

  all(...values: Values): Work<readonly Row[]> {
    return answer(this.#statement.all(...values) as readonly Row[]);
  }

  get(...values: Values): Work<Row | undefined> {
    return answer(this.#statement.get(...values) as Row | undefined);
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
  const load = createSqliteBulkLoad(database);
  const store = createSqliteBulkStore(database);
  return {
    dialect: SQLITE_DIALECT,
    prepare: <Values extends readonly unknown[], Row>(text: string) =>
      new PreparedStatement<Values, Row>(database.prepare(text.replace(BOUND_LIMIT, 'limit ($1 + 0)'))),
    read: (work) => doWork(work(), null),
    readTogether: <T>(work: () => Work<T>) => together(work) as T,
    load: (wanted) => answer(load(wanted)),
    store: (table, rows) => answer(store(table, rows)),
    announce: () => answer(undefined),
    async write(work) {
      return inTransaction(database, () => doNow(work()));
    },
  };
}
