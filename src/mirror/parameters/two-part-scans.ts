import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import type { KeyBound, PartConditions, TwoPartConditions } from './ordered-keys.ts';
import type { IntegerRange } from './page-parameters.ts';

/** One range of an index over (primary, secondary). */
export type PairScan =
  /** The rows of one primary value. */
  | { readonly kind: 'group'; readonly primary: bigint; readonly secondary: IntegerRange }
  /** All rows of neighbouring primary values. */
  | { readonly kind: 'groups'; readonly primary: IntegerRange }
  /** The rows of neighbouring primary values that have one secondary value: at most one for each. */
  | { readonly kind: 'across'; readonly primary: IntegerRange; readonly secondary: bigint };

/**
 * The index ranges that hold what was asked for: at most three, which do not meet, in the order of the list.
 *
 * @example
 * // token.id=gte:100&token.id=lte:102&serialnumber=gt:5 → (100, 6…), 101 to 102
 * @see contracts/mirror-entities.md section 1.4, meaning
 */
export function pairScans(conditions: TwoPartConditions, order: 'asc' | 'desc'): readonly PairScan[] {
  const scans = risingScans(conditions);
  return order === 'asc' ? scans : scans.toReversed();
}

/** Takes from each scan in turn until there are enough rows. */
export function* collectScans<Row>(
  scans: readonly PairScan[],
  limit: number,
  read: (scan: PairScan, limit: number) => Work<readonly Row[]>,
): Work<readonly Row[]> {
  const rows: Row[] = [];
  for (const scan of scans) {
    if (rows.length >= limit) break;
    rows.push(...(yield* read(scan, limit - rows.length)));
  }
  return rows;
}

function risingScans({ primary, secondary }: TwoPartConditions): readonly PairScan[] {
  const groups = rangeOf(primary);
  if (isEmpty(groups)) return [];
  if (primary.equal !== null) return group(primary.equal, rangeOf(secondary));
  if (secondary.equal !== null)
    return isEmpty(rangeOf(secondary))
      ? []
      : [{ kind: 'across', primary: groups, secondary: secondary.equal }];
  const { lower, upper } = rangeOf(secondary);
  const { lower: first, upper: last } = groups;
  // A bound of the second part holds in the group at the bound of the first, which is inclusive then.
  if (first === last) return group(first, { lower, upper });
  const isFirstCut = secondary.lower !== null;
  const isLastCut = secondary.upper !== null;
  const between = { lower: isFirstCut ? first + 1n : first, upper: isLastCut ? last - 1n : last };
  return [
    ...(isFirstCut ? group(first, { lower, upper: MAX_INT64 }) : []),
    ...(isEmpty(between) ? [] : [{ kind: 'groups', primary: between } as const]),
    ...(isLastCut ? group(last, { lower: MIN_INT64, upper }) : []),
  ];
}

function group(primary: bigint, secondary: IntegerRange): readonly PairScan[] {
  return isEmpty(secondary) ? [] : [{ kind: 'group', primary, secondary }];
}

/** Ends inside int64, which is what a ledger stores; empty where nothing can be in it. */
function rangeOf({ equal, lower, upper }: PartConditions): IntegerRange {
  if (equal !== null) return equal > MAX_INT64 ? { lower: 1n, upper: 0n } : { lower: equal, upper: equal };
  const from = inclusive(lower, 1n) ?? MIN_INT64;
  const to = inclusive(upper, -1n) ?? MAX_INT64;
  return { lower: from, upper: to > MAX_INT64 ? MAX_INT64 : to };
}

/** The outermost value that a bound allows; null without one. @param step 1 for a lower bound, −1 for an upper one */
export function inclusive(bound: KeyBound | null, step: bigint): bigint | null {
  if (bound === null) return null;
  return bound.isInclusive ? bound.value : bound.value + step;
}

function isEmpty({ lower, upper }: IntegerRange): boolean {
  return lower > upper;
}
