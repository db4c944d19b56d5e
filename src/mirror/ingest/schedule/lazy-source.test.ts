import { expect, test } from 'vitest';
import { listed } from '../../../../test/kit/mirror/ingest/listed-units.ts';
import { asStreamUnit, madeUpUnits, pagedSource } from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { systemPause } from '../pause.ts';
import { createLazySource as lazySource } from './lazy-source.ts';

const createLazySource = (name: string, make: Parameters<typeof lazySource>[1]) =>
  lazySource(name, make, systemPause);

test('a lazy source is made with its first question, and made once', async () => {
  let made = 0;
  const source = createLazySource('later', async () => {
    made++;
    return { ...pagedSource(madeUpUnits(3).map(asStreamUnit), 2, []), changed: async () => {} };
  });
  expect([source.name, made, source.changed]).toEqual(['later', 0, undefined]);
  expect(await listed(source)).toHaveLength(3);
  expect(await source.addressBook()).toBeNull();
  expect(made).toBe(1);
  expect(source.changed).toBeInstanceOf(Function);
  expect(source.standing).toBeUndefined();
});

test('one that cannot be made is tried again with the next question', async () => {
  let tries = 0;
  const source = createLazySource('later', async () => {
    if (++tries === 1) throw new Error('no such code');
    return pagedSource(madeUpUnits(1).map(asStreamUnit), 2, []);
  });
  await expect(listed(source)).rejects.toThrow('no such code');
  expect(await listed(source)).toHaveLength(1);
});

test('closing closes what was made, and makes nothing', async () => {
  let [made, closed] = [0, 0];
  const make = async () => {
    made++;
    return { ...pagedSource([], 2, []), close: async () => void closed++ };
  };
  await createLazySource('never asked', make).close?.();
  expect([made, closed]).toEqual([0, 0]);
  const source = createLazySource('asked', make);
  await source.addressBook();
  await source.close?.();
  expect([made, closed]).toEqual([1, 1]);
});
