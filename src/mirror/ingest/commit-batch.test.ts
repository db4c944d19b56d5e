import { expect, test } from 'vitest';
import { ManualClock } from '../../values/clock.ts';
import { createCommitBatch } from './commit-batch.ts';

const NOW_MS = 1_800_000_000_000;
const LONG_AGO = 1_700_000_000_000_000_000n;

function aBatch() {
  const calls: string[] = [];
  const clock = new ManualClock(NOW_MS);
  const batch = createCommitBatch(
    { beginCommit: () => calls.push('begin'), endCommit: () => calls.push('end') },
    clock,
  );
  const store = (consensusEnd: bigint) => {
    batch.open();
    return batch.stored(consensusEnd);
  };
  return { batch, calls, clock, store };
}

test('twenty-five units far behind the present share a commit', () => {
  const { calls, store } = aBatch();
  const durable = Array.from({ length: 26 }, () => store(LONG_AGO));
  expect(durable).toEqual([...Array(24).fill(false), true, false]);
  expect(calls).toEqual(['begin', 'end', 'begin']);
});

test('a unit of the last twenty seconds is committed at once, with those before it', () => {
  const { calls, store } = aBatch();
  expect(store(LONG_AGO)).toBe(false);
  expect(store(BigInt(NOW_MS - 19_999) * 1_000_000n)).toBe(true);
  expect(calls).toEqual(['begin', 'end']);
});

test('a commit that took long is ended, for others wait to write', () => {
  const { calls, clock, store } = aBatch();
  expect(store(LONG_AGO)).toBe(false);
  clock.advance(200);
  expect(store(LONG_AGO)).toBe(true);
  expect(calls).toEqual(['begin', 'end']);
});

test('ending twice ends once, and nothing is ended that was not begun', () => {
  const { batch, calls } = aBatch();
  batch.end();
  batch.open();
  batch.end();
  batch.end();
  expect(calls).toEqual(['begin', 'end']);
});
