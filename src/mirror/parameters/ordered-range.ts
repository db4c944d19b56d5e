import { setImmediate } from 'node:timers/promises';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type Work, waitFor } from '../../values/work.ts';
import type { PartConditions } from './ordered-keys.ts';
import type { IntegerRange, PageRequest } from './page-parameters.ts';

/** Keys from `lower` to `upper`, both included, compared part by part. */
export interface KeyRange {
  readonly lower: readonly bigint[];
  readonly upper: readonly bigint[];
}

/** The keys of one part between two of them; null when there are none. */
export function rangeOf({ lower, upper }: IntegerRange): KeyRange | null {
  return lower > upper ? null : { lower: [lower], upper: [upper] };
}

/** Rows that are looked at before other requests get a turn. */
export const MAX_STEP = 2000;

/**
 * The narrowest range of an index that holds all keys asked for; it may hold others.
 *
 * @param conditions of the columns of the index, in their order.
 * @returns null when no key can be meant.
 */
export function keyRange(conditions: readonly PartConditions[]): KeyRange | null {
  if (conditions.some(({ equal }) => equal !== null && equal > MAX_INT64)) return null;
  const lower = fromBelow(edge(conditions, 'lower', MIN_INT64));
  const upper = fromAbove(edge(conditions, 'upper', MAX_INT64));
  return lower === null || upper === null || compareKeys(lower, upper) > 0 ? null : { lower, upper };
}

/** How a walk meets rows, and what it finds by them. */
interface StepWalk<Row, Found> extends PageRequest {
  readonly keyOf: (row: Row) => readonly bigint[];
  /** The first rows of a range, and what is wanted of them, both in order. */
  readonly read: (range: KeyRange, count: number) => Work<Step<Row, Found>>;
  /** How many rows are looked at after so many. Default: {@link MAX_STEP}. */
  readonly nextCount?: (count: number) => number;
}

export interface Step<Row, Found> {
  readonly rows: readonly Row[];
  readonly wanted: readonly Found[];
}

/** How a walk meets rows, and which it keeps. */
export interface KeyWalk<Row> extends Omit<StepWalk<Row, Row>, 'read'> {
  readonly isWanted: (row: Row) => boolean;
  readonly read: (range: KeyRange, count: number) => Work<readonly Row[]>;
}

/** Takes the wanted rows of a range in order; where the range holds many others it goes in steps. */
export function walkKeys<Row>(
  range: KeyRange | null,
  { isWanted, read, ...walk }: KeyWalk<Row>,
): Work<readonly Row[]> {
  return walkSteps<Row, Row>(range, {
    ...walk,
    *read(rest, count) {
      const rows = yield* read(rest, count);
      return { rows, wanted: rows.filter(isWanted) };
    },
  });
}

/** Finds what is wanted of a range in order, in steps: between two of them other requests get a turn. */
export function* walkSteps<Row, Found>(
  range: KeyRange | null,
  { keyOf, limit, nextCount = () => MAX_STEP, order, read }: StepWalk<Row, Found>,
): Work<readonly Found[]> {
  const found: Found[] = [];
  let count = limit;
  for (let rest = range; rest !== null; count = nextCount(count)) {
    const { rows, wanted } = yield* read(rest, count);
    found.push(...wanted);
    const last = rows.at(-1);
    if (found.length >= limit || last === undefined || rows.length < count) break;
    rest = beyond(rest, keyOf(last), order);
    yield* waitFor(() => setImmediate());
  }
  return found.slice(0, limit);
}

/** The part of a range that lies after a key. */
function beyond({ lower, upper }: KeyRange, key: readonly bigint[], order: 'asc' | 'desc'): KeyRange | null {
  const move = (by: bigint) => [...key.slice(0, -1), (key.at(-1) ?? 0n) + by];
  const next = order === 'asc' ? fromBelow(move(1n)) : fromAbove(move(-1n));
  if (next === null) return null;
  const rest = order === 'asc' ? { lower: next, upper } : { lower, upper: next };
  return compareKeys(rest.lower, rest.upper) > 0 ? null : rest;
}

/** What follows a part without bound or at an exclusive one may be anything. */
function edge(
  conditions: readonly PartConditions[],
  side: 'lower' | 'upper',
  outermost: bigint,
): readonly bigint[] {
  let isOpen = false;
  return conditions.map((condition) => {
    if (isOpen) return outermost;
    if (condition.equal !== null) return condition.equal;
    const bound = condition[side];
    isOpen = bound === null || !bound.isInclusive;
    if (bound === null) return outermost;
    if (bound.isInclusive) return bound.value;
    return side === 'lower' ? bound.value + 1n : bound.value - 1n;
  });
}

/** The least key of int64 parts that is not below one; null when there is none. */
function fromBelow(key: readonly bigint[]): readonly bigint[] | null {
  const excess = key.findIndex((part) => part > MAX_INT64);
  if (excess === -1) return key;
  if (excess === 0) return null;
  const carried = key.map((part, index) =>
    index < excess - 1 ? part : index < excess ? part + 1n : MIN_INT64,
  );
  return fromBelow(carried);
}

/** The greatest key of int64 parts that is not above one; null when there is none. */
function fromAbove(key: readonly bigint[]): readonly bigint[] | null {
  const excess = key.findIndex((part) => part > MAX_INT64 || part < MIN_INT64);
  if (excess === -1) return key;
  const isAbove = (key[excess] ?? 0n) > MAX_INT64;
  if (!isAbove && excess === 0) return null;
  const carried = key.map((part, index) => {
    if (index >= excess) return MAX_INT64;
    return !isAbove && index === excess - 1 ? part - 1n : part;
  });
  return fromAbove(carried);
}

function compareKeys(left: readonly bigint[], right: readonly bigint[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? 0n;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
