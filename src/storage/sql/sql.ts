import type { Topic } from '../../values/announcements.ts';
import { type RowTable, readerOfLists } from '../../values/row-table.ts';
import type { Columns, Load, Rows, Table } from '../../values/stored-tables.ts';
import type { Work } from '../../values/work.ts';

/** What a column or a parameter holds; a list only as a parameter, by {@link SqlDialect.each}. */
export type SqlValue = bigint | number | string | Uint8Array | null;

/** How many rows a statement changed. */
export interface Changes {
  readonly changes: number;
}

/**
 * A statement that is prepared once and kept. Its text is in the common subset of both engines, parameters are `?`;
 * what differs comes from {@link SqlDialect}.
 */
export interface SqlStatement<Values extends readonly unknown[], Row> {
  all(...values: Values): Work<readonly Row[]>;
  /** The first row. */
  get(...values: Values): Work<Row | undefined>;
  run(...values: Values): Work<Changes>;
}

type Prepare = <Values extends readonly unknown[] = unknown[], Row = unknown>(
  text: string,
) => SqlStatement<Values, Row>;

/** What a row is: an object of its columns, the array of them, or the first one. */
export type RowShape = 'object' | 'columns' | 'value';

/** Prepares statements. Rows are objects unless the name says otherwise; integers are numbers, in exact ones bigint. */
interface Prepares {
  readonly prepare: Prepare;
  readonly prepareColumns: Prepare;
  readonly prepareValue: Prepare;
  readonly prepareExact: Prepare;
  readonly prepareExactColumns: Prepare;
  readonly prepareExactValue: Prepare;
}

/** @param prepared makes a statement whose rows have a shape, with exact integers or without */
export function preparesBy(
  prepared: <Values extends readonly unknown[], Row>(
    text: string,
    shape: RowShape,
    isExact: boolean,
  ) => SqlStatement<Values, Row>,
): Prepares {
  return {
    prepare: (text) => prepared(text, 'object', false),
    prepareColumns: (text) => prepared(text, 'columns', false),
    prepareValue: (text) => prepared(text, 'value', false),
    prepareExact: (text) => prepared(text, 'object', true),
    prepareExactColumns: (text) => prepared(text, 'columns', true),
    prepareExactValue: (text) => prepared(text, 'value', true),
  };
}

/** A database as repositories see it. */
export interface Sql extends Prepares {
  readonly dialect: SqlDialect;
  /** Reads: at once where the engine answers at once and the work does not wait, else later. */
  read<T>(work: () => Work<T>): T | Promise<T>;
  /** The same, of one moment of the database also where the work asks more than once. */
  readTogether<T>(work: () => Work<T>): T | Promise<T>;
  /** The same steps at each call. */
  readonly reading: Reading;
  readonly readingTogether: Reading;
  /** The stored rows with some keys, in any order; integers are bigint. */
  load(load: Load): Work<readonly Columns[]>;
  /** Stores rows, in few round trips however many there are. */
  store(table: Table, rows: Rows): Work<void>;
  /** Tells other processes, when the write is committed. @param subject without spaces. */
  announce(topic: Topic, subject?: string): Work<void>;
  /** Does work in one write transaction: all of it is committed, or nothing when it throws. */
  write<T>(work: () => Work<T>): Promise<T>;
}

/** Makes a method of the steps that it takes. */
type Reading = <Values extends readonly unknown[], T>(
  steps: (...values: Values) => Work<T>,
) => (...values: Values) => Promise<Awaited<T>>;

/** Generator functions are made once: one for each call takes longer to begin than a short statement to end. */
export function readingBy(read: Sql['read']): Reading {
  return <Values extends readonly unknown[], T>(steps: (...values: Values) => Work<T>) =>
    async (...values: Values): Promise<Awaited<T>> =>
      await read(() => steps(...values));
}

/** A list as a parameter of {@link SqlDialect.each} or {@link SqlDialect.eachText}, made by the dialect. */
export type SqlList = string & { readonly list: unique symbol };

/** The pieces of text in which SQLite and PostgreSQL differ. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /**
   * A table of a list parameter of integers: columns `value`, and `key` that counts them.
   *
   * @param parameter `@name` where the others have names. Default `?`.
   */
  each(alias: string, parameter?: string): string;
  /** The same of texts. */
  eachText(alias: string): string;
  /** The same of texts for a parameter with a name. */
  eachNamed(name: string): string;
  /**
   * Whether an integer is in a list parameter: each value is a search of an index, which a join with
   * {@link SqlDialect.each} is in SQLite alone.
   *
   * @param parameter `@name` where the others have names. Default `?`.
   */
  isListed(column: string, parameter?: string): string;
  /** Whether a parameter is null, which gives PostgreSQL no type. */
  readonly isNull: string;
  /** The value of such a parameter. */
  list(values: Iterable<bigint | number>): SqlList;
  textList(values: Iterable<string>): SqlList;
  /** Ends an aggregate of texts over the rows of a list: in its order, which SQLite keeps by itself when it leads. */
  inOrder(alias: string): string;
  /** Names the index that SQLite shall walk; PostgreSQL chooses by itself. */
  indexedBy(name: string): string;
  /** The largest of some values of which none is null. */
  greatest(...values: readonly string[]): string;
  /** The least of some values of which none is null. */
  least(...values: readonly string[]): string;
  /** Ends a read that decides a write: no other transaction changes these rows meanwhile. One writer at a time needs none. */
  readonly forUpdate: string;
  /** The same, without rows that another transaction is about to change. */
  readonly forUpdateOfFree: string;
  /** A statement that waits until no other transaction is past it, and then holds the others up until this one ends. */
  inTurn(name: string): string;
  /** The same by a name that is a parameter. */
  readonly inTurnOf: string;
  /** The greatest bytes of a column over all rows; PostgreSQL has `max()` of bytes only from version 18 on. */
  greatestBytes(column: string): string;
  /** The bytes of a text of hex digits. */
  bytesOf(hex: string): string;
  /** Joins in the order of the text, which SQLite takes as the order of its loops; PostgreSQL chooses by itself. */
  readonly orderedJoin: string;
  /** The text of a member of a column that holds a JSON object. */
  member(column: string, name: string): string;
  /** As many zero bytes. */
  zeros(count: string): string;
  /** The digits of bytes, in capitals. */
  hex(column: string): string;
  /**
   * Bytes as `Hex`, null where there are none: texts that are only shown take a third of the time that bytes take to be
   * read and printed.
   */
  prefixedHex(column: string): string;
  /** The 1-based place of a text in another one, 0 when it is not there. */
  placeOf(part: string, text: string): string;
}

export const SQLITE_DIALECT: SqlDialect = {
  name: 'sqlite',
  each: (alias, parameter = '?') => `json_each(${parameter}) as ${alias}`,
  eachText: (alias) => `json_each(?) as ${alias}`,
  isNull: '? is null',
  eachNamed: (name) => `json_each(@${name})`,
  isListed: (column, parameter = '?') => `${column} in (select value from json_each(${parameter}))`,
  // Int64 keeps all its digits in SQLite's JSON.
  list: (values) => `[${[...values].join(',')}]` as SqlList,
  textList: (values) => JSON.stringify([...values]) as SqlList,
  inOrder: () => '',
  indexedBy: (name) => `indexed by ${name}`,
  greatest: (...values) => `max(${values.join(', ')})`,
  least: (...values) => `min(${values.join(', ')})`,
  forUpdate: '',
  forUpdateOfFree: '',
  inTurn: () => 'select 1',
  inTurnOf: 'select ?',
  greatestBytes: (column) => `max(${column})`,
  bytesOf: (hex) => `unhex(${hex})`,
  orderedJoin: 'cross join',
  member: (column, name) => `${column} ->> '$.${name}'`,
  zeros: (count) => `zeroblob(${count})`,
  hex: (column) => `hex(${column})`,
  // It makes an empty text of null.
  prefixedHex: (column) => `case when ${column} is null then null else '0x' || lower(hex(${column})) end`,
  placeOf: (part, text) => `instr(${text}, ${part})`,
};

export const POSTGRES_DIALECT: SqlDialect = {
  name: 'postgres',
  each: (alias, parameter = '?') => `unnest(${parameter}::bigint[]) with ordinality as ${alias}(value, key)`,
  eachText: (alias) => `unnest(?::text[]) with ordinality as ${alias}(value, key)`,
  isNull: '?::text is null',
  eachNamed: (name) => `unnest(@${name}::text[]) as ${name}_list(value)`,
  isListed: (column, parameter = '?') => `${column} = any(${parameter}::bigint[])`,
  list: (values) => `{${[...values].join(',')}}` as SqlList,
  textList: (values) => `{${[...values].map(quoted).join(',')}}` as SqlList,
  inOrder: (alias) => `order by ${alias}.key`,
  indexedBy: () => '',
  greatest: (...values) => `greatest(${values.join(', ')})`,
  least: (...values) => `least(${values.join(', ')})`,
  forUpdate: 'for update',
  forUpdateOfFree: 'for update skip locked',
  inTurn: (name) => `select pg_advisory_xact_lock(hashtextextended('${name}', 0))`,
  inTurnOf: 'select pg_advisory_xact_lock(hashtextextended(?, 0))',
  greatestBytes: (column) => `(array_agg(${column} order by ${column} desc))[1]`,
  bytesOf: (hex) => `decode(${hex}, 'hex')`,
  orderedJoin: 'join',
  member: (column, name) => `${column}::json ->> '${name}'`,
  zeros: (count) => `decode(repeat('00', ${count}), 'hex')`,
  hex: (column) => `upper(encode(${column}, 'hex'))`,
  prefixedHex: (column) => `'0x' || encode(${column}, 'hex')`,
  placeOf: (part, text) => `strpos(${text}, ${part})`,
};

/** UTC milliseconds of PostgreSQL: the one clock that all replicas have. */
export const DATABASE_NOW = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Gives records. */
export interface RowStatement<Row> {
  all(...values: unknown[]): Work<readonly Row[]>;
  /** The first one. */
  find(...values: unknown[]): Work<Row | null>;
}

/** Prepares a statement that gives the columns of a table. */
export function prepareRecords<Row>(sql: Sql, table: RowTable<Row>, statement: string): RowStatement<Row> {
  const prepare = table.isExact ? sql.prepareExact : sql.prepare;
  return readBy(prepare<unknown[], object>(statement), table.read);
}

/** The same by the places of the columns, for pages of records with many members. @param from what follows the columns. */
export function prepareLists<Row>(sql: Sql, table: RowTable<Row>, from: string): RowStatement<Row> {
  const prepare = table.isExact ? sql.prepareExactColumns : sql.prepareColumns;
  return readBy(
    prepare<unknown[], readonly unknown[]>(`SELECT ${table.select} ${from}`),
    readerOfLists(table),
  );
}

function readBy<Stored, Row>(
  prepared: SqlStatement<unknown[], Stored>,
  read: (row: Stored) => Row,
): RowStatement<Row> {
  return {
    *all(...values) {
      return (yield* prepared.all(...values)).map(read);
    },
    *find(...values) {
      const row = yield* prepared.get(...values);
      return row === undefined ? null : read(row);
    },
  };
}

/** Prepares to select records. @param from what follows the columns. */
export function prepareSelect<Row>(sql: Sql, table: RowTable<Row>, from: string): RowStatement<Row> {
  return prepareRecords(sql, table, `SELECT ${table.select} ${from}`);
}

/** Inserts a row by the names of its columns. */
export function insertText(table: string, columns: readonly string[]): string {
  const values = columns.map((column) => `@${column}`).join(', ');
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`;
}

/** What an update sets, by the names of the columns. */
export function setText(columns: readonly string[]): string {
  return columns.map((column) => `${column} = @${column}`).join(', ');
}

/** What an insert says of rows that are there; empty where that is an error. */
export function conflictClause({ columns, keyLength, onConflict }: Table): string {
  const key = columns.slice(0, keyLength).join(', ');
  const values = columns.slice(keyLength).map((column) => `${column} = excluded.${column}`);
  return {
    fail: '',
    keep: keyLength === 0 ? ' on conflict do nothing' : ` on conflict (${key}) do nothing`,
    replace: ` on conflict (${key}) do update set ${values.join(', ')}`,
  }[onConflict];
}
