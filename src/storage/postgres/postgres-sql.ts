import type pg from 'pg';
import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import { doWork, type Wait, type Work } from '../../values/work.ts';
import {
  type Changes,
  POSTGRES_DIALECT,
  preparesBy,
  type RowShape,
  readingBy,
  type Sql,
  type SqlStatement,
} from '../sql/sql.ts';
import { CHANNEL } from './postgres-announcements.ts';
import { createPostgresBulk } from './postgres-bulk.ts';
import { isRefusal } from './postgres-errors.ts';
import { toText, typesOf } from './postgres-types.ts';
import { withConnection } from './with-connection.ts';

/** What a statement needs of a connection. */
type Connection = Pick<pg.ClientBase, 'query'>;

/** Statements of the same text have the same name on each connection: it is parsed and planned there once. */
const names = new Map<string, string>();
/** Part of the names: a newer build may add columns that a statement selects, and PostgreSQL refuses its former plan. */
let generation = 0;

/** The texts of all statements that were prepared so far. */
export function preparedTexts(): readonly string[] {
  return [...names.keys()];
}

class NamedStatement<Values extends readonly unknown[], Row> implements SqlStatement<Values, Row> {
  readonly #text: string;
  readonly #names: readonly string[] | null;
  readonly #name: string;
  readonly #isExact: boolean;
  readonly #shape: RowShape;

  constructor(text: string, shape: RowShape, isExact: boolean) {
    this.#shape = shape;
    this.#isExact = isExact;
    const translated = statementText(text);
    this.#text = translated.text;
    this.#names = translated.names;
    const known = names.get(this.#text);
    this.#name = known ?? `ledgerlens_${names.size}`;
    if (known === undefined) names.set(this.#text, this.#name);
  }

  *all(...values: Values): Work<readonly Row[]> {
    return this.#rowsOf((yield this.#ask(values)) as pg.QueryResult);
  }

  *get(...values: Values): Work<Row | undefined> {
    return this.#rowsOf((yield this.#ask(values)) as pg.QueryResult)[0];
  }

  *run(...values: Values): Work<Changes> {
    const { rowCount } = (yield this.#ask(values)) as pg.QueryResult;
    return { changes: rowCount ?? 0 };
  }

  #ask(values: Values): Wait {
    const query = () => ({
      name: `${this.#name}_${generation}`,
      text: this.#text,
      values: this.#valuesOf(values).map(parameter),
      types: typesOf(this.#isExact),
      ...(this.#shape === 'object' ? {} : { rowMode: 'array' as const }),
    });
    return (connection) => (connection as Connection).query(query());
  }

  /** In the order of their numbers; those with names come as one object. */
  #valuesOf(values: Values): readonly unknown[] {
    if (this.#names === null) return values;
    const [named] = values as readonly unknown[] as readonly [Readonly<Record<string, unknown>>];
    return this.#names.map((name) => named[name]);
  }

  #rowsOf({ rows }: pg.QueryResult): readonly Row[] {
    return this.#shape === 'value' ? rows.map((row) => (row as unknown[])[0] as Row) : rows;
  }
}

function parameter(value: unknown): unknown {
  return typeof value === 'string' ? toText(value) : value;
}

/** Errors of two transactions that met: the same work succeeds when it is done again. */
const MET = new Set(['40001', '40P01']);
const MAX_TRIES = 5;
const READ_TOGETHER = 'begin isolation level repeatable read read only';

export interface PostgresSqlOptions {
  /** Why nothing may be read and written any more; null while it may. Default: it may. */
  readonly refusal?: () => string | null;
}

/** A pool of PostgreSQL connections as repositories of both engines see it: it answers later. */
export function postgresSql(pool: pg.Pool, { refusal = () => null }: PostgresSqlOptions = {}): Sql {
  const prepares = preparesBy((text, shape, isExact) => new NamedStatement(text, shape, isExact));
  const announce = prepares.prepare<[string, string]>('select pg_notify(?, ?)');
  const bulk = createPostgresBulk(prepares);
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const reason = refusal();
      if (reason !== null) throw new StorageFaultError(reason);
      const tried = generation;
      try {
        return await work();
      } catch (error) {
        if (tries === MAX_TRIES || !mayBeRepeated(error, tried)) throw error;
      }
    }
  };
  const read: Sql['read'] = (work) => attempt(() => doWork(work(), pool));
  const readTogether: Sql['read'] = (work) =>
    attempt(() => inPostgresTransaction(pool, READ_TOGETHER, work, endReading));
  return {
    dialect: POSTGRES_DIALECT,
    ...prepares,
    load: bulk.load,
    store: bulk.store,
    read,
    readTogether,
    reading: readingBy(read),
    readingTogether: readingBy(readTogether),
    *announce(topic, subject) {
      const told = subject === undefined ? topic : `${topic} ${subject}`;
      yield* announce.run(CHANNEL, told);
    },
    write: (work) => attempt(() => inPostgresTransaction(pool, 'begin', work, commitWrites)),
  };
}

/** @param tried the generation of the names that were used. */
function mayBeRepeated(error: unknown, tried: number): boolean {
  const { code = '', routine } = error as { readonly code?: string; readonly routine?: string };
  if (routine !== 'RevalidateCachedQuery') return MET.has(code);
  if (generation === tried) generation += 1;
  return true;
}

async function inPostgresTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: () => Work<T>,
  commit: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  return withConnection(pool, async (client) => {
    await client.query(begin);
    let result: T;
    try {
      result = await doWork(work(), client);
    } catch (error) {
      // When that fails the connection is lost, and the transaction with it.
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
    await commit(client);
    return result;
  });
}

const endReading = (client: pg.PoolClient): Promise<unknown> => client.query('commit');

/** @throws StorageBusyError when the connection is lost before the database has answered. */
async function commitWrites(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new StorageBusyError('the connection to it was lost', {
      cause: error,
      isTold: false,
      isOutcomeUnknown: true,
    });
  }
}

/** A text of quotes, a comment, a cast, a parameter (`?` or `@name`), or a name with capitals inside. */
const PARTS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::\w+|\?|@[a-z]\w*|\b[a-z][a-z0-9_]*[A-Z]\w*/g;

/**
 * A statement as PostgreSQL wants it. Numbers the parameters, `?` and `@name`, outside quotes and comments; names with
 * capitals inside are quoted, since PostgreSQL would give columns of that name back in small letters.
 *
 * @returns `names` of the parameters by their order; null when they have none.
 */
export function statementText(text: string) {
  const names: string[] = [];
  let count = 0;
  const translated = text.replace(PARTS, (part) => {
    if (part === '?') return `$${++count}`;
    if (part.startsWith('@')) {
      const name = part.slice(1);
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    return /^[a-z]/.test(part) ? `"${part}"` : part;
  });
  return { text: translated, names: names.length === 0 ? null : names };
}
