import type { IntegerRange } from '../parameters/page-parameters.ts';
import type { TransactionFilter } from './transaction-filter.ts';

/** The window of a list whose time range is bound. */
export interface TimeWindow extends IntegerRange {
  /** The edge at which the range was cut; a page that is not full continues there. Null when nothing was cut. */
  readonly cutAt: bigint | null;
}

/**
 * Narrows a range to `maxNanos`: the newest part for desc, the oldest for asc.
 *
 * @param oldest consensus time of the first stored transaction, 0n when there is none.
 * @param now nanoseconds; the upper bound of a query without one.
 * @see contracts/mirror-transactions.md section 3.4
 */
export function bindTimeRange(
  filter: Pick<TransactionFilter, 'lower' | 'upper' | 'order'>,
  given: { readonly hasLower: boolean; readonly hasUpper: boolean },
  oldest: bigint,
  now: bigint,
  maxNanos: bigint,
): TimeWindow {
  const lower = given.hasLower ? filter.lower : oldest;
  const upper = given.hasUpper ? filter.upper : now;
  if (upper - lower + 1n <= maxNanos) return { lower, upper, cutAt: null };
  if (filter.order === 'desc') {
    const cut = upper - maxNanos + 1n;
    return { lower: cut, upper, cutAt: cut };
  }
  const cut = lower + maxNanos - 1n;
  return { lower, upper: cut, cutAt: cut };
}
