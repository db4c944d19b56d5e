import type { StoredRow } from './block-format.ts';

/** One consistent look at the ledger. */
export interface LedgerLook {
  /** Names the ledger and counts the changes of rows that were stored before. */
  readonly edition: string;
  /** Time of the oldest row; null in an empty ledger. */
  readonly oldest: bigint | null;
  /** Ascending by time. */
  readonly rows: readonly StoredRow[];
}

/** What a page file is written from. */
export interface PageSource {
  readonly dialect: string;
  /** Looks at up to `limit` rows behind a time; null while rows may be there that are not committed. */
  look(after: bigint, limit: number): LedgerLook | null;
  /** Up to `limit` rows from a time on. */
  rowsFrom(time: bigint, limit: number): readonly StoredRow[];
}
