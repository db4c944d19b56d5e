import { expect, test } from 'vitest';
import { whileBusy } from './sqlite.ts';

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

/** Work that is refused so many times before it is done. */
function refused(times: number, error: () => Error = busy) {
  let attempts = 0;
  return () => {
    attempts += 1;
    if (attempts <= times) throw error();
    return attempts;
  };
}

test('work is done again while another process is in its way', () => {
  const slept: number[] = [];
  expect(whileBusy(refused(3), 100, (ms) => slept.push(ms))).toBe(4);
  expect(slept).toEqual([20, 20, 20]);
});

test('patience has an end', () => {
  const slept: number[] = [];
  expect(() => whileBusy(refused(100), 50, (ms) => slept.push(ms))).toThrow('database is locked');
  expect(slept).toHaveLength(3);
  expect(() => whileBusy(refused(1), 0, (ms) => slept.push(ms))).toThrow('database is locked');
});

test('any other fault is thrown at once', () => {
  const broken = () => new Error('file is not a database');
  expect(() => whileBusy(refused(1, broken), 100, () => expect.fail('it waits'))).toThrow('not a database');
});
