import { type Hex, toBytes, toHex } from './hex.ts';

/** What a column holds; integers are int64. */
export type StoredValue = bigint | number | string | Uint8Array | null;

/** A column as a statement selects it: `name`, `table.name` or `expression AS name`. */
type Selected = string;

/** A member that is stored in a column of its own. */
interface Column<Value> {
  readonly column: Selected;
  /** Whether integers of the row must be bigint. */
  readonly isExact?: boolean;
  /** Undefined where the value is stored as it is. */
  readonly toStored?: (value: Value) => StoredValue;
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
export interface RowTable<Row> {
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
  write(record: Row): Readonly<Record<string, StoredValue>>;
  /** Values in the order of the columns. */
  values(record: Row): readonly StoredValue[];
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
  toStored: (value) => (value === null ? null : toBytes(value)),
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
  const { literal, readers } = literalOf(members as unknown as Tree, isExact, byName);
  const writing = writingOf(members as unknown as Tree);
  return {
    members,
    columns: columns.map(({ column }) => nameIn(column)),
    select: columns.map(({ column }) => column).join(', '),
    isExact,
    read: compiled(readers, literal),
    values: compiled(writing.writers, writing.literal),
    write: (record) => {
      const row: Record<string, StoredValue> = {};
      writeInto(row, members as unknown as Tree, record as Values);
      return row;
    },
  };
}

/** Reads rows that are lists of the columns: of many columns in half the time, and two may have one name. */
export function readerOfLists<Row>({ isExact, members }: RowTable<Row>): (row: readonly unknown[]) => Row {
  const places = new Map(columnsOf(members as unknown as Tree).map(({ column }, place) => [column, place]));
  const { literal, readers } = literalOf(
    members as unknown as Tree,
    isExact,
    (column) => `row[${places.get(column)}]`,
  );
  return compiled(readers, literal);
}

/** An object that is made by one literal takes a tenth of the time of one that is filled in a loop. */
const compiled = <From, To>(calls: readonly unknown[], text: string) =>
  new Function('calls', `return (row) => (${text})`)(calls) as (from: From) => To;

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

/** The literal that reads `row`, and the functions that it calls by their places in `calls`. */
function literalOf(
  tree: Tree,
  isExact: boolean,
  stored: (column: Selected) => string,
): { readonly literal: string; readonly readers: unknown[] } {
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
    return `calls[${readers.push(read) - 1}](${stored(part.column)})`;
  };
  return { literal: object(tree), readers };
}

/** The literal that lists what `row` holds, and the functions that it calls by their places in `calls`. */
function writingOf(tree: Tree): { readonly literal: string; readonly writers: unknown[] } {
  const writers: unknown[] = [];
  const list = (of: Tree, held: string): readonly string[] =>
    Object.entries(of).flatMap(([name, member]) => {
      const [part, value] = [partOf(member), `${held}[${JSON.stringify(name)}]`];
      if (!('column' in part)) return list(part.members, `(${value} ?? {})`);
      const given = held === 'row' ? value : `(${value} ?? null)`;
      return part.toStored === undefined ? given : `calls[${writers.push(part.toStored) - 1}](${given})`;
    });
  return { literal: `[${list(tree, 'row').join(', ')}]`, writers };
}

const byName = (column: Selected): string => `row[${JSON.stringify(nameIn(column))}]`;

const nameIn = (column: Selected): string => /\w+$/.exec(column)?.[0] ?? column;

const inexact = (value: StoredValue): StoredValue => (typeof value === 'bigint' ? Number(value) : value);

function writeInto(row: Record<string, StoredValue>, tree: Tree, record: Values | null): void {
  for (const [name, member] of Object.entries(tree)) {
    const part = partOf(member);
    const value = record === null ? null : (record[name] as never);
    if (!('column' in part)) writeInto(row, part.members, value);
    else row[nameIn(part.column)] = part.toStored === undefined ? value : part.toStored(value as never);
  }
}
