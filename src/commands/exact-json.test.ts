import { describe, expect, test } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { parseExact, stringifyExact } from './exact-json.ts';

describe('exact JSON', () => {
  test('int64 keeps all digits in both directions', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(stringifyExact({ value })).toBe(`{"value":${value}}`);
        expect(BigInt((parseExact(`{"value":${value}}`) as { value: number | bigint }).value)).toBe(value);
      }),
    );
  });

  test('small integers and fractions stay numbers', () => {
    expect(parseExact('[1,-2,0.5,1e3,9007199254740991]')).toEqual([1, -2, 0.5, 1000, 9007199254740991]);
  });

  test.each(['', '{', '[1,]', 'undefined'])('%j is refused', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });
});
