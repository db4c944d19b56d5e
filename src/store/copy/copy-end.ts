/** The values of a row in the order of the columns of its table; integers are bigint. */
export type CopiedRow = readonly (bigint | number | string | Uint8Array | null)[];

/** A table that both databases have under the same names. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that tell one row from all others, in the order of the index that has them. */
  readonly key: readonly string[];
}

/** Where a copy comes from or goes to: one database that nobody else changes meanwhile, as far as that is known. */
export interface CopyEnd {
  /** For people; holds no password. */
  readonly url: string;
  /** What tells this installation from all others. */
  identity(): Promise<string>;
  /** The next rows by key; null begins. */
  rowsAfter(table: CopiedTable, key: CopiedRow | null, limit: number): Promise<readonly CopiedRow[]>;
  /** Which installation a copy into this one was begun from; null when none was. */
  begunFrom(): Promise<string | null>;
  /** Begins a copy: takes away what a new database holds by itself. */
  begin(identity: string): Promise<void>;
  /** The key after which the copy of a table continues; null at its beginning. */
  lastKey(table: CopiedTable): Promise<CopiedRow | null>;
  /** Stores rows together with the key up to which the table is copied. */
  store(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** The largest id that was given by itself so far, by table; rows may have been deleted since. */
  issuedIds(): Promise<ReadonlyMap<string, bigint>>;
  /** Lets new ids come after these and after all that are stored. */
  continueIds(issued: ReadonlyMap<string, bigint>): Promise<void>;
  /** Ends the copy: from now on a server may use it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Whether it is read, or made. */
export type CopyRole = 'from' | 'to';
