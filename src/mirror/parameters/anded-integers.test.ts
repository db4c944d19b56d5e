import { expect, test } from 'vitest';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { andIntegers } from './anded-integers.ts';

const of = (operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', value: bigint) => ({ operator, value });
const isNothing = ({ lower, upper }: ReturnType<typeof andIntegers>) => lower > upper;

test('all conditions hold at once', () => {
  expect(andIntegers([])).toMatchObject({ lower: MIN_INT64, upper: MAX_INT64 });
  expect(andIntegers([of('eq', 5n), of('lte', 9n)])).toMatchObject({ lower: 5n, upper: 5n });
  expect(andIntegers([of('gt', 5n), of('lt', 9n), of('ne', 7n)])).toEqual({
    lower: 6n,
    upper: 8n,
    excluded: new Set([7n]),
  });
});

test('what no number meets leaves an empty range inside int64', () => {
  expect(isNothing(andIntegers([of('eq', 5n), of('eq', 6n)]))).toBe(true);
  expect(isNothing(andIntegers([of('eq', 2n), of('gte', 3n)]))).toBe(true);
  expect(andIntegers([of('eq', MAX_INT64 + 1n)])).toMatchObject({ lower: 1n, upper: 0n });
});
