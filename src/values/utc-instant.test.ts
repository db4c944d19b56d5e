import { expect, test } from 'vitest';
import { parseUtcInstant } from './utc-instant.ts';

test.each([
  ['1970-01-01T00:00:00Z', 0n],
  ['2023-11-14T22:13:20Z', 1_700_000_000_000_000_000n],
  ['2023-11-14T22:13:20.25Z', 1_700_000_000_250_000_000n],
  ['2024-02-29T00:00:00.000000001Z', 1_709_164_800_000_000_001n],
])('%s is %d nanoseconds', (text, nanos) => {
  expect(parseUtcInstant(text)).toBe(nanos);
});

test.each([
  '2023-02-29T00:00:00Z',
  '2023-13-01T00:00:00Z',
  '2023-01-01T25:00:00Z',
  '2023-01-01',
  '2023-01-01T00:00:00',
  '2023-01-01T00:00:00.0000000001Z',
  '1969-12-31T23:59:59Z',
])('%s is no instant', (text) => {
  expect(parseUtcInstant(text)).toBeNull();
});
