import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import {
  countPlaces,
  inBoth,
  inEither,
  isEmpty,
  packPlaces,
  placeNumbers,
  shareNone,
  unpackPlaces,
} from './place-bits.ts';

/** A chunk, and two sets of its places. */
const twoSets = fc.integer({ min: 1, max: 300 }).chain((size) => {
  const someNumbers = fc.uniqueArray(fc.nat(size - 1)).map((numbers) => numbers.toSorted((a, b) => a - b));
  return fc.tuple(fc.constant(size), someNumbers, someNumbers);
});

describe('places of a chunk', () => {
  test('are what they were after packing, and combine as sets do', () => {
    fc.assert(
      fc.property(twoSets, ([size, one, other]) => {
        const [first, second] = [one, other].map((numbers) => unpackPlaces(packPlaces(numbers, size), size));
        if (first === undefined || second === undefined) throw new Error('There are two sets');
        expect(placeNumbers(first)).toEqual(one);
        expect(countPlaces(second)).toBe(other.length);
        const shared = one.filter((number) => other.includes(number));
        expect(placeNumbers(inBoth(first, second))).toEqual(shared);
        expect(shareNone(first, second)).toBe(shared.length === 0);
        expect(isEmpty(first)).toBe(one.length === 0);
        expect(placeNumbers(inEither(first, second))).toEqual(
          [...new Set([...one, ...other])].toSorted((a, b) => a - b),
        );
      }),
    );
  });

  test('take a bit each, or two bytes where they are few', () => {
    const all = Array.from({ length: 800 }, (_, number) => number);
    expect(packPlaces(all, 800)).toHaveLength(100);
    expect(packPlaces(all.slice(0, 50), 800)).toHaveLength(100);
    expect(packPlaces([0, 300, 799], 800)).toEqual(Buffer.from('0000012c031f', 'hex'));
    expect(packPlaces([], 800)).toHaveLength(0);
  });

  test('are bits in a chunk whose numbers two bytes do not hold', () => {
    const packed = packPlaces([70_000], 70_001);
    expect(packed).toHaveLength(8751);
    expect(placeNumbers(unpackPlaces(packed, 70_001))).toEqual([70_000]);
  });
});
