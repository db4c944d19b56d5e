import { setImmediate as otherEvents } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { latest } from './latest.ts';

test('a value at hand is read each time', () => {
  let value = 1;
  const read = latest(() => value, 0);
  expect(read()).toBe(1);
  value = 2;
  expect(read()).toBe(2);
});

test('a value that has to be waited for is the newest that arrived, and asked for once at a time', async () => {
  const asked: ((value: number) => void)[] = [];
  const read = latest(() => new Promise<number>((resolve) => asked.push(resolve)), 0);
  expect([read(), read(), asked.length]).toEqual([0, 0, 1]);
  asked[0]?.(7);
  await otherEvents();
  expect([read(), asked.length]).toEqual([7, 2]);
});

test('a value that does not come leaves the one before', async () => {
  const answers = [async () => 7, () => Promise.reject(new Error('away')), async () => 8, async () => 9];
  const read = latest(() => (answers.shift() ?? (async () => 0))(), 0);
  const seen: number[] = [];
  for (let looks = 0; looks < 4; looks++) {
    seen.push(read());
    await otherEvents();
  }
  expect(seen).toEqual([0, 7, 7, 8]);
});
