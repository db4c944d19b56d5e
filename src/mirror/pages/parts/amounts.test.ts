import { expect, test } from 'vitest';
import { decimal } from './amounts.ts';

test.each([
  [0n, 0, '0'],
  [1_234_567n, 0, '1,234,567'],
  [123_450_000_000n, 8, '1,234.50000000'],
  [-5n, 3, '-0.005'],
  [1n, 40, `0.${'0'.repeat(39)}1`],
  // As many as a token may have.
  [-123n, 41, '-123e-41'],
  [9_223_372_036_854_775_807n, 2_147_483_647, '9223372036854775807e-2147483647'],
])('%d with %d decimals is %s', (value, decimals, expected) => {
  expect(decimal(value, decimals)).toBe(expected);
});
