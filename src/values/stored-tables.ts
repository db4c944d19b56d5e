import type { StoredValue } from './row-table.ts';

/** A value that a column holds. */
export type ColumnValue = StoredValue;

/** The values of one row, in the order of the columns of its table. */
export type Columns = readonly ColumnValue[];

/** Rows that are given one by one; a list is one. */
export interface Rows {
  forEach(take: (row: Columns) => void): void;
}

/** A table, or those columns of one that are read and written together. */
export interface Table {
  readonly name: string;
  /** The key first. */
  readonly columns: readonly string[];
  /** How many of the columns, from the first, are the key; 0 with `keep`: whatever key the table has. */
  readonly keyLength: number;
  /** What becomes of a row whose key is stored: it is an error, it stays as it is, or these columns are set anew. */
  readonly onConflict: 'fail' | 'keep' | 'replace';
  /** With `keep`: whether such a row is there only when the same is stored again. PostgreSQL copies rows then. */
  readonly isOnceTold?: boolean;
}

/** Rows that are loaded in one call. */
export interface Load<Of extends Table = Table> {
  readonly table: Of;
  readonly keys: readonly (readonly bigint[])[];
  /**
   * The rows with these keys; for each key the row with the greatest value in the column after it; or for each key the row
   * with the greatest one below it.
   */
  readonly match: 'equal' | 'newest' | 'newest-before';
}

/** A table of which one row is kept for each key, as it is now. */
export interface StateTable<Row> extends Table {
  readonly onConflict: 'replace';
  keyOf(row: Row): readonly bigint[];
  read(columns: Columns): Row;
  write(row: Row): Columns;
  /** Whether the key is that of many rows, one for each time in the column after it, of which the newest counts. */
  readonly isOfNewest?: boolean;
}

/** The name of a column, and what it holds. */
type Column<Value extends ColumnValue> = string & { readonly holds?: Value };

/** Names a column and says what it holds. */
export const column = <Value extends ColumnValue>(name: string): Column<Value> => name as Column<Value>;

type Held<Of> = Of extends Column<infer Value> ? (unknown extends Value ? ColumnValue : Value) : ColumnValue;
type RowWith<Key, Values> = {
  readonly [Member in keyof Key | keyof Values]: Member extends keyof Values ? Held<Values[Member]> : bigint;
};

/** The rows of a table. */
export type RowOf<Of> = Of extends StateTable<infer Row> ? Row : never;

/**
 * Describes a table of state rows, each member by its column: a {@link column}, or a text for one that holds anything.
 *
 * @param key the members that are the key, each an int64
 * @param values the others
 */
export function stateTable<
  const Key extends Readonly<Record<string, string>>,
  const Values extends Readonly<Record<string, string>>,
>(name: string, key: Key, values: Values): StateTable<RowWith<Key, Values>> {
  type Row = RowWith<Key, Values>;
  const keyMembers = Object.keys(key) as (keyof Row)[];
  const members = [...keyMembers, ...(Object.keys(values) as (keyof Row)[])];
  // Rows are read by the million: an object that is made by one literal takes a tenth of the time of one that is filled.
  const literal = members.map((member, place) => `${JSON.stringify(member)}: columns[${place}] ?? null`);
  const read = new Function('columns', `return { ${literal.join(', ')} }`) as (columns: Columns) => Row;
  return {
    name,
    columns: [...Object.values(key), ...Object.values(values)],
    keyLength: keyMembers.length,
    onConflict: 'replace',
    keyOf: (row) => keyMembers.map((member) => row[member] as bigint),
    read,
    write: (row) => members.map((member) => row[member]),
  };
}

/** Describes a table whose rows are inserted and never change: the first row of a key stays. */
export function appendTable(name: string, keyLength: number, columns: readonly string[]): Table {
  return { name, columns, keyLength, onConflict: 'keep' };
}

/** Describes such a table of events: only an event that is told again has a key that is there. */
export function eventTable(name: string, keyLength: number, columns: readonly string[]): Table {
  return { ...appendTable(name, keyLength, columns), isOnceTold: true };
}

/** Describes a table in which a key that is there already is a fault. */
export function insertTable(name: string, keyLength: number, columns: readonly string[]): Table {
  return { name, columns, keyLength, onConflict: 'fail' };
}
