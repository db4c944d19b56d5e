import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { FilterOperator } from './filter-operator.ts';

/** Integers from `lower` to `upper`, both included. */
export interface IntegerRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

/** Which integers several conditions on one parameter leave. */
export interface IntegerSelection extends IntegerRange {
  /** All `eq` values; null when there are none. */
  readonly equal: ReadonlySet<bigint> | null;
  readonly excluded: ReadonlySet<bigint>;
}

/**
 * Combines conditions: the greatest lower and the least upper bound, a set of `eq`, a set of `ne`.
 *
 * Bounds end inside int64, which is what the ledger stores.
 *
 * @see contracts/mirror-transactions.md sections 3.1 and 3.3
 */
export function selectIntegers(
  conditions: readonly { readonly operator: FilterOperator; readonly value: bigint }[],
): IntegerSelection {
  let lower = MIN_INT64;
  let upper = MAX_INT64;
  const equal = new Set<bigint>();
  const excluded = new Set<bigint>();
  const raise = (bound: bigint) => {
    if (bound > lower) lower = bound;
  };
  const reduce = (bound: bigint) => {
    if (bound < upper) upper = bound;
  };
  for (const { operator, value } of conditions) {
    if (operator === 'eq') equal.add(value);
    else if (operator === 'ne') {
      // Another value leaves no row out, and could not be asked of the store either.
      if (value >= MIN_INT64 && value <= MAX_INT64) excluded.add(value);
    } else if (operator === 'gt') raise(value + 1n);
    else if (operator === 'gte') raise(value);
    else if (operator === 'lt') reduce(value - 1n);
    else reduce(value);
  }
  // Above the greatest int64 there is nothing; a bound out there could not be asked of the store.
  if (lower > MAX_INT64 || upper < MIN_INT64) [lower, upper] = [1n, 0n];
  return { lower, upper, equal: equal.size === 0 ? null : equal, excluded };
}

/** Whether a value meets the conditions. */
export function selects({ equal, excluded, lower, upper }: IntegerSelection, value: bigint): boolean {
  return value >= lower && value <= upper && !excluded.has(value) && (equal === null || equal.has(value));
}
