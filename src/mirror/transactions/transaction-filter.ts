import type { AccountFilter } from '../parameters/account-filter.ts';
import type { PageRange } from '../parameters/page-parameters.ts';

/** Which transactions a list asks for, by consensus time, 0 to the greatest int64. @see contracts/mirror-transactions.md section 4 */
export interface TransactionFilter extends PageRange {
  readonly excludedTimes: ReadonlySet<bigint>;
  /** True for `result=success`, false for `fail`, null for both. */
  readonly isSuccessful: boolean | null;
  /** Type numbers, distinct; null for all. */
  readonly types: readonly number[] | null;
  readonly direction: 'credit' | 'debit' | null;
  readonly accounts: AccountFilter | null;
}

/** The part of a list that one answer carries. */
export interface TransactionPage {
  readonly count: number;
  /** Printed consensus times of the first and last row in page order; null when the page is empty. */
  readonly first: string | null;
  readonly last: string | null;
  /** Whether a transaction after the last row meets the filter too. */
  readonly hasMore: boolean;
  /** The list objects, joined by commas; ASCII, so characters are bytes. */
  readonly rows: string;
}
