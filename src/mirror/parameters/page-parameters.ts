import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { ParameterValues } from './check-parameters.ts';
import { type FilterOperator, isOneOf, operand, parseFilter } from './filter-operator.ts';

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
      // Another value leaves no row out, and the store could not compare with it either.
      if (value >= MIN_INT64 && value <= MAX_INT64) excluded.add(value);
    } else if (operator === 'gt') raise(value + 1n);
    else if (operator === 'gte') raise(value);
    else if (operator === 'lt') reduce(value - 1n);
    else reduce(value);
  }
  // Above the greatest int64 there is nothing; the store could not compare with such a bound.
  if (lower > MAX_INT64 || upper < MIN_INT64) [lower, upper] = [1n, 0n];
  return { lower, upper, equal: equal.size === 0 ? null : equal, excluded };
}

/** Whether a value meets the conditions. */
export function selects({ equal, excluded, lower, upper }: IntegerSelection, value: bigint): boolean {
  return value >= lower && value <= upper && !excluded.has(value) && (equal === null || equal.has(value));
}

/** How pages of a list are cut. */
export interface PageSettings {
  /** Above the maximum `spec` refuses a limit and `hiero` caps it; only `spec` looks whether a row follows. */
  readonly dialect: 'spec' | 'hiero';
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** What stands before the path of the link to the next page; empty for a path alone. */
  readonly linkBase: string;
}

/** What `limit` and `order` ask for. */
export interface PageRequest {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** Compares items by a number, in the order of a list. */
export const byNumber =
  <Item>(order: PageRequest['order'], of: (item: Item) => bigint) =>
  (one: Item, other: Item): number =>
    of(one) < of(other) === (order === 'asc') ? -1 : 1;

/** A request for the rows whose place in the list is such a number. */
export type PageRange = IntegerRange & PageRequest;

/** What a page is cut from. */
export interface Cut {
  readonly page: PageSettings;
  readonly request: PageRequest;
  /** The request target. */
  readonly target: string;
  readonly values: ParameterValues;
}

/** The rows of a page, and the link to the next one. */
export interface CutPage<Row> {
  readonly shown: readonly Row[];
  readonly next: string | null;
}

const LIMIT = /^\d{1,19}$/;

/** The checks of `limit` and `order`. @see contracts/mirror-transactions.md section 3.1 */
export function pageChecks(settings: PageSettings) {
  return { limit: (text: string) => isLimit(text, settings), order: isOneOf('asc', 'desc') };
}

/** Reads checked values; of repeated ones the last counts. */
export function pageRequest(
  values: ParameterValues,
  { defaultLimit, maxLimit }: PageSettings,
  defaultOrder: PageRequest['order'] = 'desc',
): PageRequest {
  const limit = values.get('limit')?.at(-1);
  const order = operand(values.get('order')?.at(-1) ?? defaultOrder).toLowerCase();
  return {
    limit: limit === undefined ? defaultLimit : Number(least(BigInt(operand(limit)), BigInt(maxLimit))),
    order: order === 'asc' ? 'asc' : 'desc',
  };
}

function isLimit(text: string, { dialect, maxLimit }: PageSettings): boolean {
  const filter = parseFilter(text);
  if (filter === null || !LIMIT.test(filter.value)) return false;
  const limit = BigInt(filter.value);
  return limit >= 1n && limit <= (dialect === 'spec' ? BigInt(maxLimit) : MAX_INT64);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
