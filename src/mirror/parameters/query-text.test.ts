import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { readQuery } from './query-text.ts';

describe('readQuery', () => {
  test('reads a query without escapes as URLSearchParams does', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', ':', '=', '&', '-', '_', '%41', '+', '[0]'),
    });
    fc.assert(
      fc.property(text, (query) => {
        const values = readQuery(`/path?${query}`).map(({ value }) => value);
        expect(values).toEqual([...new URLSearchParams(query).values()]);
      }),
    );
  });

  test('lowers names and keeps values', () => {
    expect(readQuery('/path?LIMIT=2&Result=Success')).toEqual([
      { name: 'limit', value: '2', isNested: false },
      { name: 'result', value: 'Success', isNested: false },
    ]);
  });
});
