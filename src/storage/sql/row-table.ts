import { type Hex, toHex } from '../../values/hex.ts';
import type { Work } from '../../values/work.ts';
import type { Sql, SqlValue } from './sql.ts';

/** A column as a statement selects it: `name`, `table.name` or `expression AS name`. */
type Selected = string;

/** A member that is stored in a column of its own. */
interface Column<Value> {
  readonly column: Selected;
  /** Whether integers of the row must be bigint. */
  readonly isExact?: boolean;
  /** Undefined where the value is stored as it is. */
  readonly toStored?: (value: Value) => SqlValue;
  readonly fromStored?: (stored: never) => Value;
}

/** An object inside, whose members have columns; null where the column `unless` is. A table is one. */
interface Group<Value> {
  readonly members: Members<NonNullable<Value>>;
  readonly unless?: string;
}

type Member<Value> =
  | Column<Value>
  | Group<Value>
  | (Value extends number | string | Uint8Array | null ? Selected : never);

/** The column of each member. A text names one that holds text, bytes or a number as it is. */
type Members<Row> = { readonly [Name in keyof Row]-?: Member<Row[Name]> };

/** Declared once: the columns of records, and both ways between a row and a record. */
interface RowTable<Row> {
  readonly members: Members<Row>;
  /** Names in rows, in the order of the members. */
  readonly columns: readonly string[];
  /** The columns as a statement selects them, without `SELECT`. */
  readonly select: string;
  /** Whether it reads bigint. */
  readonly isExact: boolean;
  /** @param stored may have other columns too. */
  read(stored: object): Row;
  /** Values by names of columns. */
  write(record: Row): Readonly<Record<string, SqlValue>>;
}

/** The record that a table reads, where no interface says it. */
export type RecordOf<Table> = Table extends RowTable<infer Row> ? Row : never;

/** The columns of what a declaration without an interface holds as it is. */
export const text = <Value extends string | null = string>(column: Selected): Column<Value> => ({ column });
export const number = <Value extends number | null = number>(column: Selected): Column<Value> => ({ column });
export const bytes = <Value extends Uint8Array | null = Uint8Array>(column: Selected): Column<Value> => ({
  column,
});

/** An integer that stays a bigint. */
export const int64 = <Value extends bigint | null = bigint>(column: Selected): Column<Value> => ({
  column,
  isExact: true,
});

/** Stored as 0 or 1; null stays null. */
export const flag = <Value extends boolean | null = boolean>(column: Selected): Column<Value> => ({
  column,
  toStored: (value) => (value === null ? null : Number(value)),
  fromStored: (stored: bigint | number | null) => (stored === null ? null : Number(stored) === 1) as Value,
});

/**
 * Stored as JSON text, which only this product writes.
 *
 * @param absent stored as null. Default: null.
 */
export const json = <Value>(column: Selected, absent: NoInfer<Value> | null = null): Column<Value> => {
  const nullText = JSON.stringify(absent);
  return {
    column,
    toStored: (value) => {
      const text = JSON.stringify(value);
      return text === nullText ? null : text;
    },
    fromStored: (stored: string | null) => (stored === null ? absent : JSON.parse(stored)) as Value,
  };
};

/** Bytes that are hex text in records; null stays null. */
export const hex = <Value extends Hex | null = Hex>(column: Selected): Column<Value> => ({
  column,
  toStored: (value) => (value === null ? null : Buffer.from(value.slice(2), 'hex')),
  fromStored: (stored: Uint8Array | null) => (stored === null ? null : toHex(stored)) as Value,
});

/** An object that is null where one of its columns is. */
export const unlessNull = <Value>(unless: string, members: Members<NonNullable<Value>>): Group<Value> => ({
  members,
  unless,
});

/** Declares a table, or what a statement gives. */
export function rowTable<Row>(members: Members<Row>): RowTable<Row> {
  const columns = columnsOf(members as unknown as Tree);
  const isExact = columns.some((each) => each.isExact);
  const { literal, readers } = literalOf(members as unknown as Tree, isExact);
  // An object that is made by one literal takes a tenth of the time of one that is filled in a loop.
  const compiled = new Function('readers', `return (row) => (${literal})`) as (
    readers: readonly unknown[],
  ) => (stored: object) => Row;
  return {
    members,
    columns: columns.map(({ column }) => nameIn(column)),
    select: columns.map(({ column }) => column).join(', '),
    isExact,
    read: compiled(readers),
    write: (record) => {
      const row: Record<string, SqlValue> = {};
      writeInto(row, members as unknown as Tree, record as Values);
      return row;
    },
  };
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
  const prepared = prepare<unknown[], object>(statement);
  return {
    *all(...values) {
      return (yield* prepared.all(...values)).map(table.read);
    },
    *find(...values) {
      const row = yield* prepared.get(...values);
      return row === undefined ? null : table.read(row);
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

type AnyColumn = Column<never>;
type AnyGroup = { readonly members: Tree; readonly unless?: string };
type Tree = Readonly<Record<string, AnyColumn | AnyGroup | Selected>>;
type Values = Readonly<Record<string, never>>;

const partOf = (member: Tree[string]): AnyColumn | AnyGroup =>
  typeof member === 'string' ? { column: member } : member;

function columnsOf(tree: Tree): readonly AnyColumn[] {
  return Object.values(tree).flatMap((member) => {
    const part = partOf(member);
    return 'column' in part ? [part] : columnsOf(part.members);
  });
}

/** The literal that reads `row`, and the functions that it calls by their places in `readers`. */
function literalOf(tree: Tree, isExact: boolean): { readonly literal: string; readonly readers: unknown[] } {
  const readers: unknown[] = [];
  const object = (of: Tree): string => {
    const members = Object.entries(of).map(([name, member]) => `${JSON.stringify(name)}: ${value(member)}`);
    return `{ ${members.join(', ')} }`;
  };
  const value = (member: Tree[string]): string => {
    const part = partOf(member);
    if (!('column' in part)) {
      const unless = part.unless === undefined ? '' : `${stored(part.unless)} === null ? null : `;
      return unless + object(part.members);
    }
    const read = part.fromStored ?? (isExact && part.isExact !== true ? inexact : null);
    if (read === null) return stored(part.column);
    return `readers[${readers.push(read) - 1}](${stored(part.column)})`;
  };
  return { literal: object(tree), readers };
}

const stored = (column: Selected): string => `row[${JSON.stringify(nameIn(column))}]`;

const nameIn = (column: Selected): string => /\w+$/.exec(column)?.[0] ?? column;

const inexact = (value: SqlValue): SqlValue => (typeof value === 'bigint' ? Number(value) : value);

function writeInto(row: Record<string, SqlValue>, tree: Tree, record: Values | null): void {
  for (const [name, member] of Object.entries(tree)) {
    const part = partOf(member);
    const value = record === null ? null : (record[name] as never);
    if (!('column' in part)) writeInto(row, part.members, value);
    else row[nameIn(part.column)] = part.toStored === undefined ? value : part.toStored(value as never);
  }
}
