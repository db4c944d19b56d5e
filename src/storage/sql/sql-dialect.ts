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
  /** Whether a parameter is null, which tells PostgreSQL nothing of its type. */
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
  /** Ends a read that decides a write: nobody else changes these rows meanwhile. One writer at a time needs none. */
  readonly forUpdate: string;
  /** The same, without rows that somebody else is about to change. */
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
