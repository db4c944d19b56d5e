import { type RowTable, readerOfLists } from '../../values/row-table.ts';
import type { Table } from '../../values/stored-tables.ts';
import type { Work } from '../../values/work.ts';
import type { Sql, SqlStatement } from './sql.ts';

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
