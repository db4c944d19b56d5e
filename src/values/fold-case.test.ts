import { expect, test } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { foldCase } from './fold-case.ts';

test.each([
  ['ASCII', 'nUmqBER', 'NumQber'],
  ['Greek, with both small sigmas', 'ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['Cyrillic', 'ТОКЕН', 'токен'],
  ['letters of two units', '𐐀𐐁', '𐐨𐐩'],
])('%s', (_script, left, right) => {
  expect(foldCase(left)).toBe(foldCase(right));
});

test('a part folds as within the whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
      expect(foldCase(left + right)).toBe(foldCase(left) + foldCase(right));
    }),
  );
});
