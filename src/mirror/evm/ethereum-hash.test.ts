import * as Hash from 'ox/Hash';
import * as TxEnvelopeEip1559 from 'ox/TxEnvelopeEip1559';
import * as TxEnvelopeEip2930 from 'ox/TxEnvelopeEip2930';
import * as TxEnvelopeEip7702 from 'ox/TxEnvelopeEip7702';
import * as TxEnvelopeLegacy from 'ox/TxEnvelopeLegacy';
import { describe, expect, test } from 'vitest';
import { parseHex, toHex } from '../../values/hex.ts';
import { callDataOfFile, ethereumHash } from './ethereum-hash.ts';

type Hex = `0x${string}`;
const signature = { r: BigInt(`0x${'12'.repeat(32)}`), s: BigInt(`0x${'34'.repeat(32)}`), yParity: 1 };
const TO = `0x${'cd'.repeat(20)}` as const;
const DATA = `0x60${'ab'.repeat(30_000)}` as const;
const bytes = (hex: string) => parseHex(hex) ?? expect.fail('no hex');
const keccak256 = (hex: Hex) => Hash.keccak256(hex);
const accessList = [{ address: TO, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;
const legacy = { type: 'legacy', gas: 5n, gasPrice: 7n } as const;
const fees = { chainId: 298, gas: 5n, maxFeePerGas: 7n };
const authorizationList = [{ address: TO, chainId: 298, nonce: 3n, ...signature }];
const kinds: readonly (readonly [name: string, serialized: (data: Hex) => Hex])[] = [
  ['legacy', (data) => TxEnvelopeLegacy.serialize({ ...legacy, value: 0n, data }, { signature })],
  [
    'legacy of a chain',
    (data) => TxEnvelopeLegacy.serialize({ ...legacy, chainId: 298, value: 2n ** 255n, data }, { signature }),
  ],
  [
    'eip2930',
    (data) =>
      TxEnvelopeEip2930.serialize(
        { ...legacy, type: 'eip2930', chainId: 298, accessList, data },
        { signature },
      ),
  ],
  [
    'eip1559',
    (data) =>
      TxEnvelopeEip1559.serialize({ ...fees, type: 'eip1559', nonce: 300n, accessList, data }, { signature }),
  ],
  [
    'eip7702',
    (data) =>
      TxEnvelopeEip7702.serialize(
        { ...fees, type: 'eip7702', to: TO, authorizationList, data },
        { signature },
      ),
  ],
];

describe('ethereumHash', () => {
  test.each(kinds)('is that of the bytes, of type %s', (_, serialized) => {
    const whole = serialized(DATA);
    expect(toHex(ethereumHash(bytes(whole), null) ?? bytes(''))).toBe(keccak256(whole));
  });

  test.each(kinds)(
    'is that of the transaction that was signed when its call data lie in a file, of type %s',
    (_, serialized) => {
      const sent = bytes(serialized('0x'));
      const file = callDataOfFile(Buffer.from(DATA.slice(2)));
      expect(toHex(ethereumHash(sent, file) ?? bytes(''))).toBe(keccak256(serialized(DATA)));
    },
  );

  test.each(kinds)('leaves a file alone when there are call data, of type %s', (_, serialized) => {
    const whole = serialized('0x01');
    expect(toHex(ethereumHash(bytes(whole), bytes('0x02')) ?? bytes(''))).toBe(keccak256(whole));
  });

  test('is that of unreadable bytes too, and null when call data were to be put into them', () => {
    expect(toHex(ethereumHash(bytes('0x0203'), null) ?? bytes(''))).toBe(keccak256('0x0203'));
    expect(ethereumHash(bytes('0x0203'), bytes('0x01'))).toBeNull();
  });
});

describe('callDataOfFile', () => {
  test.each([
    ['6001', [0x60, 1]],
    ['0x6001', [0x60, 1]],
    ['ABcd', [0xab, 0xcd]],
    ['', []],
    ['600', null],
    ['6001\n', null],
    ['code', null],
  ])('of "%s"', (text, data) => {
    expect(callDataOfFile(Buffer.from(text))).toEqual(data === null ? null : Uint8Array.from(data));
  });
});
