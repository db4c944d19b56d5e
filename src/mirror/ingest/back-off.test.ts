import { expect, test } from 'vitest';
import { backOffMs } from './pause.ts';

test('a pause doubles with each failure up to the longest, a fifth shorter or longer by chance', () => {
  const between = { firstMs: 500, longestMs: 8000 };
  const pauses = (random: () => number) =>
    [1, 2, 3, 4, 5, 6, 1000].map((failures) => backOffMs(failures, between, random));
  expect(pauses(() => 0.5)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(pauses(() => 0)).toEqual([400, 800, 1600, 3200, 6400, 6400, 6400]);
  expect(backOffMs(9, between, () => 0.999)).toBeLessThan(10_000);
});
