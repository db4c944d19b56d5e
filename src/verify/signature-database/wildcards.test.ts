import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { createPatternTest, literalPrefix } from './search-signatures.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '(', '$'), maxLength: 8 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '(', '$', '*', '?'), maxLength: 8 });

const fitsPattern = (text: string, pattern: string) => createPatternTest(pattern)(text);

describe('createPatternTest', () => {
  test('agrees with a regular expression', () => {
    fc.assert(
      fc.property(letters, patterns, (text, pattern) => {
        const source = pattern.replaceAll(/[($]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
        expect(fitsPattern(text, pattern)).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('answers for a pattern that a backtracking search would not end with', () => {
    expect(fitsPattern('a'.repeat(10_000), `${'*a'.repeat(90)}*b`)).toBe(false);
    expect(fitsPattern('a'.repeat(10_000), `*${'a'.repeat(150)}?*${'a?'.repeat(20)}b*`)).toBe(false);
  });
});

test('every text that fits begins with the literal prefix', () => {
  const fill = fc.record({ '*': letters, '?': fc.constantFrom('a', 'b', '(', '$') });
  fc.assert(
    fc.property(patterns, fc.array(fill, { minLength: 8, maxLength: 8 }), (pattern, fills) => {
      const text = pattern.replaceAll(/[*?]/g, (sign, at: number) => fills[at]?.[sign as '*' | '?'] ?? '');
      expect(fitsPattern(text, pattern)).toBe(true);
      expect(text.startsWith(literalPrefix(pattern))).toBe(true);
    }),
  );
});
