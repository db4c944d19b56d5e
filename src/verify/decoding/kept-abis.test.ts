import { expect, test } from 'vitest';
import { AbiIndex } from './abi-index.ts';
import { KeptAbis } from './kept-abis.ts';

const HALF = 4_194_304;

test('those that nobody asked for go first', () => {
  const kept = new KeptAbis();
  const [first, second, third] = [new AbiIndex(), new AbiIndex(), new AbiIndex()];
  kept.keep(1n, first, HALF);
  kept.keep(2n, second, HALF);
  expect(kept.get(1n)).toBe(first);
  kept.keep(3n, third, 1);
  expect([kept.get(1n), kept.get(2n), kept.get(3n)]).toEqual([first, null, third]);
});

test('one that is kept twice counts once', () => {
  const kept = new KeptAbis();
  const abis = [new AbiIndex(), new AbiIndex()] as const;
  kept.keep(1n, abis[0], HALF);
  for (let count = 0; count < 3; count += 1) kept.keep(2n, abis[1], HALF);
  expect(kept.get(1n)).toBe(abis[0]);
});
