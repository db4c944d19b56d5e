import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from './small-nursery.ts';

test('what nobody refers to is gone, without a flag of Node', async () => {
  const left = new WeakRef({});
  // What a reference was just made for lives until the end of its turn.
  await setImmediate();
  expect(left.deref()).toBeDefined();
  await setImmediate();
  collectGarbage();
  expect(left.deref()).toBeUndefined();
});
