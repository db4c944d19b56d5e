import { expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { bucketOf, durationOfShare } from './response-buckets.ts';

const countsOf = (durations: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const each of durations) counts.set(bucketOf(each), (counts.get(bucketOf(each)) ?? 0) + 1);
  return counts;
};

test('a share of the calls is told within a tenth', () => {
  const duration = fc.double({ min: 1.01, max: 100_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1 }), fc.constantFrom(0.5, 0.95, 1), (durations, share) => {
      const sorted = [...durations].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length - 1e-9) - 1] ?? 0;
      const told = durationOfShare(countsOf(durations), share);
      expect(Math.abs(told / exact - 1)).toBeLessThan(0.1);
    }),
  );
});

test('whatever is measured falls into one of 71 buckets', () => {
  expect([0, -1, Number.NaN, 1, 0.2].map(bucketOf)).toEqual([0, 0, 0, 0, 0]);
  expect([2, 4, 1024].map(bucketOf)).toEqual([4, 8, 40]);
  expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(70);
  expect(durationOfShare(new Map([[0, 3]]), 0.5)).toBe(1);
});
