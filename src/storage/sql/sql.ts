import type { Topic } from '../../values/announcements.ts';
import type { Work } from '../../values/work.ts';
import type { BulkLoad, BulkRow, BulkRows, BulkTable } from './bulk.ts';
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
  /** Integers are bigint; without it they are numbers. */
  safeIntegers(exact: true): SqlStatement<Values, Row>;
  /** A row is its first column. */
  pluck(): SqlStatement<Values, Row>;
  /** A row is the array of its columns. */
  raw(): SqlStatement<Values, Row>;
  all(...values: Values): Work<readonly Row[]>;
  /** The first row. */
  get(...values: Values): Work<Row | undefined>;
  run(...values: Values): Work<Changes>;
}

/** A database as repositories see it. */
export interface Sql {
  readonly dialect: SqlDialect;
  prepare<Values extends readonly unknown[] = unknown[], Row = unknown>(
    text: string,
  ): SqlStatement<Values, Row>;
  /** Reads: at once where the engine answers at once and the work does not wait, else later. */
  read<T>(work: () => Work<T>): T | Promise<T>;
  /** The same, of one moment of the database also where the work asks more than once. */
  readTogether<T>(work: () => Work<T>): T | Promise<T>;
  /** The same steps at each call. */
  readonly reading: Reading;
  readonly readingTogether: Reading;
  /** The stored rows with some keys, in any order; integers are bigint. */
  load(load: BulkLoad): Work<readonly BulkRow[]>;
  /** Stores rows, in few round trips however many there are. */
  store(table: BulkTable, rows: BulkRows): Work<void>;
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
