import * as Bloom from 'ox/Bloom';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { toHex } from '../../values/hex.ts';
import { blockGas } from './block-gas.ts';
import { BLOOM_BYTES, bloomOf } from './bloom.ts';

const NONE = new Uint8Array();
const EMPTY = new Uint8Array(BLOOM_BYTES);
const result = (gasUsed: bigint, bloom = NONE, isTopLevel = true) => ({ gasUsed, bloom, isTopLevel });

describe('blockGas', () => {
  test('has none of both in a block without contract results', () => {
    expect(blockGas([], [])).toEqual({ used: 0n, bloom: null });
    expect(blockGas([result(5n, EMPTY, false)], [])).toEqual({ used: 0n, bloom: null });
  });

  test('has a filter without bits when results logged nothing', () => {
    expect(blockGas([result(5n)], [])).toEqual({ used: 5n, bloom: EMPTY });
    expect(blockGas([result(5n, EMPTY)], [])).toEqual({ used: 5n, bloom: EMPTY });
  });

  test('has the filters of synthetic logs, which use no gas', () => {
    const log = bloomOf(new Uint8Array(20).fill(1), [new Uint8Array(32)]);
    expect(blockGas([], [log])).toEqual({ used: 0n, bloom: log });
    expect(blockGas([result(7n)], [log, log])).toEqual({ used: 7n, bloom: log });
  });

  test('leaves gas in the range of int64', () => {
    expect(blockGas([result(2n ** 63n - 1n), result(1n)], []).used).toBe(2n ** 63n - 1n);
    expect(blockGas([result(2n ** 63n - 1n), result(1n, NONE, false)], []).used).toBe(2n ** 63n - 1n);
  });

  test('adds up what is at the top, and its filter covers every log of it and nothing else', () => {
    const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
    const entry = fc.record({
      gasUsed: fc.bigInt({ min: 0n, max: 2n ** 40n }),
      address,
      isTopLevel: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 30 }),
        fc.array(address, { maxLength: 5 }),
        (entries, synthetic) => {
          const { bloom, used } = blockGas(
            entries.map((each) => ({ ...each, bloom: bloomOf(each.address, []) })),
            synthetic.map((each) => bloomOf(each, [])),
          );
          const counted = entries.filter(({ isTopLevel }) => isTopLevel);
          const values = [...counted.map((each) => each.address), ...synthetic];
          expect(used).toBe(counted.reduce((sum, { gasUsed }) => sum + gasUsed, 0n));
          expect(bloom === null).toBe(values.length === 0);
          const filter = bloom ?? EMPTY;
          for (const value of values) expect(Bloom.contains(toHex(filter), toHex(value))).toBe(true);
          const bits = new Set(values.flatMap((value) => [...bitsOf(bloomOf(value, []))]));
          expect(new Set(bitsOf(filter))).toEqual(bits);
        },
      ),
    );
  });
});

function* bitsOf(bloom: Uint8Array): Iterable<number> {
  for (let bit = 0; bit < 8 * BLOOM_BYTES; bit++) if (((bloom[bit >> 3] ?? 0) >> (bit & 7)) & 1) yield bit;
}
