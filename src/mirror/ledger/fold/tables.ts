/** A value that a column holds; integers are int64. */
export type ColumnValue = bigint | number | string | Uint8Array | null;

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
  /** How many of the columns, from the first, are the key. */
  readonly keyLength: number;
  /** What becomes of a row whose key is stored: it is an error, it stays as it is, or these columns are set anew. */
  readonly onConflict: 'fail' | 'keep' | 'replace';
  /** With `keep`: whether such a row is there only when the same is stored again. PostgreSQL copies rows then. */
  readonly isOnceTold?: boolean;
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

/** The column of each member of a row, in the order of the statement. */
type ColumnOf<Row> = { readonly [Member in keyof Row]?: string };

/**
 * Describes a table of state rows.
 *
 * @param key the members that are the key, each an int64, with their columns
 * @param values the other members with their columns
 */
export function stateTable<Row extends { readonly [Member in keyof Row]: ColumnValue }>(
  name: string,
  key: ColumnOf<Row>,
  values: ColumnOf<Row>,
): StateTable<Row> {
  const keyMembers = Object.keys(key) as (keyof Row)[];
  const members = [...keyMembers, ...(Object.keys(values) as (keyof Row)[])];
  return {
    name,
    columns: [...columnsOf(key), ...columnsOf(values)],
    keyLength: keyMembers.length,
    onConflict: 'replace',
    keyOf: (row) => keyMembers.map((member) => row[member] as bigint),
    read: (columns) => {
      const row: { [Member in keyof Row]?: ColumnValue } = {};
      for (let index = 0; index < members.length; index++) {
        const member = members[index];
        if (member !== undefined) row[member] = columns[index] ?? null;
      }
      return row as Row;
    },
    write: (row) => members.map((member) => row[member]),
  };
}

function columnsOf<Row>(of: ColumnOf<Row>): readonly string[] {
  return Object.values<string | undefined>({ ...of }).filter((column) => column !== undefined);
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
