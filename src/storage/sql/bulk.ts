import type { SqlValue } from './sql.ts';

/** The values of one row, in the order of the columns of its table. */
export type BulkRow = readonly SqlValue[];

/** Rows that are given one by one; a list is one. */
export interface BulkRows {
  forEach(take: (row: BulkRow) => void): void;
}

/** A table, or those columns of one that are read and written together. */
export interface BulkTable {
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
export interface BulkLoad {
  readonly table: BulkTable;
  readonly keys: readonly (readonly bigint[])[];
  /**
   * The rows with these keys; for each key the row with the greatest value in the column after it; or for each key the row
   * with the greatest one below it.
   */
  readonly match: 'equal' | 'newest' | 'newest-before';
}

/** What an insert says of rows that are there; empty where that is an error. */
export function conflictClause({ columns, keyLength, onConflict }: BulkTable): string {
  const key = columns.slice(0, keyLength).join(', ');
  const values = columns.slice(keyLength).map((column) => `${column} = excluded.${column}`);
  return {
    fail: '',
    keep: keyLength === 0 ? ' on conflict do nothing' : ` on conflict (${key}) do nothing`,
    replace: ` on conflict (${key}) do update set ${values.join(', ')}`,
  }[onConflict];
}
