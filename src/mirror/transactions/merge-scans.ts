import type { Work } from '../../values/work.ts';

/** An index range in page order: the first `limit` consensus times within the bounds. */
export type Scan = (lower: bigint, upper: bigint, limit: number) => Work<readonly bigint[]>;

export interface MergeRange {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * Merges ordered scans into the first `limit` distinct consensus times.
 *
 * Once enough are found, the following scans need not look beyond the last of them.
 */
export function* mergeScans(scans: readonly Scan[], range: MergeRange): Work<readonly bigint[]> {
  const { limit, order } = range;
  let { lower, upper } = range;
  let merged: readonly bigint[] = [];
  for (const scan of scans) {
    const found = yield* scan(lower, upper, limit);
    if (found.length === 0) continue;
    merged = merged.length === 0 ? found : distinctInOrder([...merged, ...found], order).slice(0, limit);
    const last = merged.at(-1);
    if (last === undefined || merged.length < limit) continue;
    if (order === 'desc') lower = last;
    else upper = last;
  }
  return merged;
}

function distinctInOrder(times: readonly bigint[], order: 'asc' | 'desc'): readonly bigint[] {
  return [...new Set(times)].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
}
