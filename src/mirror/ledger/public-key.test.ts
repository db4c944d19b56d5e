import { expect, test } from 'vitest';
import { KEYS } from '../../../test/kit/mirror/keyed-ledger.ts';
import { publicKeyOf } from './public-key.ts';

const KEYS_BY_SEARCH: readonly (readonly [key: string, publicKey: string | null])[] = [
  ...KEYS.map(([, key, publicKey]) => [key, publicKey] as const),
  // RSA alone, and as the only member of a threshold and of a list.
  ['1a03010203', '010203'],
  ['2a0b080212070a051a03010203', '010203'],
  ['32070a051a03010203', '010203'],
  // A list in a list.
  ['320b0a0932070a051a03010203', null],
  [`1a8010${'07'.repeat(2048)}`, '07'.repeat(2048)],
  [`1a8110${'07'.repeat(2049)}`, null],
  ['', ''],
  ['ff', null],
];

test.each(KEYS_BY_SEARCH)('the key %s is searched by %s', (key, publicKey) => {
  const found = publicKeyOf(Buffer.from(key, 'hex'));
  expect(found === null ? null : Buffer.from(found).toString('hex')).toBe(publicKey);
});
