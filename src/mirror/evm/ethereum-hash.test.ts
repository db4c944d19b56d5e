import { keccak256, serializeTransaction, type TransactionSerializable } from 'viem';
import { describe, expect, test } from 'vitest';
import { parseHex, toHex } from '../../values/hex.ts';
import { callDataOfFile, ethereumHash } from './ethereum-hash.ts';

const SIGNATURE = { r: `0x${'12'.repeat(32)}`, s: `0x${'34'.repeat(32)}`, yParity: 1, v: 28n } as const;
const TO = `0x${'cd'.repeat(20)}` as const;
const DATA = `0x60${'ab'.repeat(30_000)}` as const;
const bytes = (hex: string) => parseHex(hex) ?? expect.fail('no hex');
const list = [{ address: TO, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;
const kinds: readonly TransactionSerializable[] = [
  { type: 'legacy', gas: 5n, gasPrice: 7n, value: 0n },
  { type: 'legacy', chainId: 298, gas: 5n, gasPrice: 7n, value: 2n ** 255n },
  { type: 'eip2930', chainId: 298, gas: 5n, gasPrice: 7n, accessList: list },
  { type: 'eip1559', chainId: 298, gas: 5n, maxFeePerGas: 7n, nonce: 300, accessList: list },
  {
    type: 'eip7702',
    chainId: 298,
    gas: 5n,
    maxFeePerGas: 7n,
    to: TO,
    authorizationList: [{ address: TO, chainId: 298, nonce: 3, ...SIGNATURE }],
  },
];
const serialized = (kind: TransactionSerializable, data: `0x${string}`) =>
  serializeTransaction({ ...kind, data } as TransactionSerializable, SIGNATURE);

describe('ethereumHash', () => {
  test.each(kinds)('is that of the bytes, of type $type', (kind) => {
    const whole = serialized(kind, DATA);
    expect(toHex(ethereumHash(bytes(whole), null) ?? bytes(''))).toBe(keccak256(whole));
  });

  test.each(kinds)(
    'is that of the transaction that was signed when its call data lie in a file, of type $type',
    (kind) => {
      const sent = bytes(serialized(kind, '0x'));
      const file = callDataOfFile(Buffer.from(DATA.slice(2)));
      expect(toHex(ethereumHash(sent, file) ?? bytes(''))).toBe(keccak256(serialized(kind, DATA)));
    },
  );

  test.each(kinds)('leaves a file alone when there are call data, of type $type', (kind) => {
    const whole = serialized(kind, '0x01');
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
