import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { FilterOperator } from './filter-operator.ts';
import { type IntegerSelection, selectIntegers } from './page-parameters.ts';

/** Which integers meet every condition. */
export type AndedIntegers = Omit<IntegerSelection, 'equal'>;

/**
 * Combines conditions that must all hold, `eq` ones too: two different values leave nothing.
 *
 * @see contracts/mirror-entities.md section 1.2, ids, each ANDed
 */
export function andIntegers(
  conditions: readonly { readonly operator: FilterOperator; readonly value: bigint }[],
): AndedIntegers {
  const { equal, ...range } = selectIntegers(conditions);
  let { lower, upper } = range;
  for (const value of equal ?? []) {
    if (value > lower) lower = value;
    if (value < upper) upper = value;
  }
  // What cannot be asked of the store.
  if (lower > MAX_INT64 || upper < MIN_INT64) [lower, upper] = [1n, 0n];
  return { lower, upper, excluded: range.excluded };
}

/** Whether they have a bound. */
export function isNarrow({ lower, upper }: AndedIntegers): boolean {
  return lower !== MIN_INT64 || upper !== MAX_INT64;
}

/** Whether a value meets them. */
export function meetsAll({ excluded, lower, upper }: AndedIntegers, value: bigint): boolean {
  return value >= lower && value <= upper && !excluded.has(value);
}
