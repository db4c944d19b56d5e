/** How many calls fell into each bucket. */
type BucketCounts = ReadonlyMap<number, number>;

/** The last one holds everything above about three minutes. */
const LAST = 70;
const PER_DOUBLING = 4;

/** The bucket of a duration: four to each doubling, from a millisecond on. */
export function bucketOf(milliseconds: number): number {
  if (!(milliseconds > 1)) return 0;
  return Math.min(LAST, Math.ceil(PER_DOUBLING * Math.log2(milliseconds) - 1e-9));
}

/**
 * What a share of the calls took at most, in milliseconds: the middle of the bucket, within a tenth of the truth.
 *
 * @param share above 0, at most 1. @param counts of at least one call.
 */
export function durationOfShare(counts: BucketCounts, share: number): number {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  const found = sorted.find(([, count]) => {
    seen += count;
    return seen >= share * total - 1e-9;
  });
  const bucket = found?.[0] ?? 0;
  return bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / PER_DOUBLING);
}
