import type { Topic } from '../../values/announcements.ts';
import type { Columns, Load, Rows, Table } from '../../values/stored-tables.ts';
import type { Work } from '../../values/work.ts';
import type { SqlDialect } from './sql-dialect.ts';

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
