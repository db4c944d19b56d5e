import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { toBase32 } from '../../values/base32.ts';
import { parseAliasText } from './account-alias-text.ts';

describe('an account alias', () => {
  test.each([
    ['00'.repeat(20), 'A'.repeat(32)],
    [`1220${'07'.repeat(32)}`, 'CIQAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBY'],
    ['ff'.repeat(20), '7'.repeat(32)],
  ])('%s is read from %s', (hex, text) => {
    expect(Buffer.from(parseAliasText(text)?.alias ?? []).toString('hex')).toBe(hex);
    expect(parseAliasText(`5.6.${text}`)).toEqual({ ...parseAliasText(text), shard: 5n, realm: 6n });
    expect(parseAliasText(`6.${text}`)).toEqual({ ...parseAliasText(text), realm: 6n });
  });

  test('of any bytes is read from its base32', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 120 }), (bytes) => {
        expect(parseAliasText(toBase32(bytes))?.alias).toEqual(bytes);
      }),
    );
  });

  test.each([
    ['of one letter', 'A'],
    ['lower case', 'a'.repeat(32)],
    ['other digits', `${'A'.repeat(31)}1`],
    ['bits that belong to no byte', `${'A'.repeat(34)}B`],
    ['a length that no bytes have', 'A'.repeat(33)],
    ['more than shard and realm', `0.0.0.${'A'.repeat(32)}`],
  ])('with %s is none', (_, text) => {
    expect(parseAliasText(text)).toBeNull();
  });
});
