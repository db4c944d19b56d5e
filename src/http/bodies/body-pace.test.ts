import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BodyPace } from './body-pace.ts';

const PASS = 262_144;
const aBody = () => new Readable({ read() {} }).resume();

test('beyond a quarter of a megabyte of all bodies together the rest waits for the next pass of the event loop', () => {
  const calls: (() => void)[] = [];
  const pace = new BodyPace((call) => calls.push(call));
  const [one, other] = [aBody(), aBody()];
  pace.hasRead(one, PASS / 2);
  pace.hasRead(other, PASS / 2);
  expect([one.isPaused(), other.isPaused(), calls.length]).toEqual([false, false, 1]);
  pace.hasRead(other, 1);
  expect([one.isPaused(), other.isPaused()]).toEqual([false, true]);
  for (const call of calls.splice(0)) call();
  expect(other.isPaused()).toBe(false);
  // Counted anew.
  pace.hasRead(one, PASS);
  expect([one.isPaused(), calls.length]).toEqual([false, 1]);
});
