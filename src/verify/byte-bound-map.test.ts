import { expect, test } from 'vitest';
import { ByteBoundMap } from './byte-bound-map.ts';
import { AbiIndex } from './decoding/abi-index.ts';

const HALF = 4_194_304;

test('those that nobody asked for go first', () => {
  const kept = new ByteBoundMap<bigint, AbiIndex>(2 * HALF);
  const [first, second, third] = [new AbiIndex(), new AbiIndex(), new AbiIndex()];
  kept.set(1n, first, HALF);
  kept.set(2n, second, HALF);
  expect(kept.get(1n)).toBe(first);
  kept.set(3n, third, 1);
  expect([kept.get(1n), kept.get(2n), kept.get(3n)]).toEqual([first, null, third]);
});

test('one that is kept twice counts once', () => {
  const kept = new ByteBoundMap<bigint, AbiIndex>(2 * HALF);
  const abis = [new AbiIndex(), new AbiIndex()] as const;
  kept.set(1n, abis[0], HALF);
  for (let count = 0; count < 3; count += 1) kept.set(2n, abis[1], HALF);
  expect(kept.get(1n)).toBe(abis[0]);
});
