import { describe, expect, test } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { parseBase32, toBase32 } from './base32.ts';

describe('base32', () => {
  // RFC 4648 section 10
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j prints as %j and is read with padding and in lower case too', (text, printed) => {
    const bytes = new TextEncoder().encode(text);
    expect(toBase32(bytes)).toBe(printed);
    expect(parseBase32(printed)).toEqual(bytes);
    expect(parseBase32(`${printed.toLowerCase()}====`)).toEqual(bytes);
  });

  test('printing and parsing are inverse', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseBase32(toBase32(bytes))).toEqual(bytes);
      }),
    );
  });

  test.each(['M', 'MZX', 'MZXW6Y', '1', 'M Y'])('%j is refused', (text) => {
    expect(parseBase32(text)).toBeNull();
  });
});
