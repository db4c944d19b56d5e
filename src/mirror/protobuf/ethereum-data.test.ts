import { serializeTransaction, type TransactionSerializable } from 'viem';
import { describe, expect, test } from 'vitest';
import { parseHex, toHex } from '../../values/hex.ts';
import { creationCodeOfEthereumData, gasLimitOfEthereumData } from './ethereum-data.ts';

const SIGNATURE = { r: `0x${'12'.repeat(32)}`, s: `0x${'34'.repeat(32)}`, yParity: 1, v: 28n } as const;
const CODE = `0x60${'ab'.repeat(400)}` as const;
const TO = `0x${'cd'.repeat(20)}` as const;

const kinds: readonly TransactionSerializable[] = [
  { type: 'legacy', gas: 5n, gasPrice: 7n },
  { type: 'eip2930', chainId: 298, gas: 5n, gasPrice: 7n, accessList: [{ address: TO, storageKeys: [] }] },
  { type: 'eip1559', chainId: 298, gas: 5n, maxFeePerGas: 7n, nonce: 300 },
];
const serialized = (kind: TransactionSerializable, more: object) =>
  parseHex(serializeTransaction({ ...kind, ...more } as TransactionSerializable, SIGNATURE)) ??
  new Uint8Array();

describe('creationCodeOfEthereumData', () => {
  test.each(kinds)('finds the data of a creation of type $type, short and long', (kind) => {
    for (const data of ['0x01', '0x6001', CODE] as const) {
      const found = creationCodeOfEthereumData(serialized(kind, { data }));
      expect(found === null ? null : toHex(found)).toBe(data);
    }
  });

  test.each(kinds)('finds none in a call or without data, of type $type', (kind) => {
    expect(creationCodeOfEthereumData(serialized(kind, { data: CODE, to: TO }))).toBeNull();
    expect(creationCodeOfEthereumData(serialized(kind, {}))).toBeNull();
  });

  test.each(kinds)('finds none in a transaction of type $type that is cut off anywhere', (kind) => {
    const whole = serialized(kind, { data: CODE });
    for (let length = 0; length < whole.length; length++) {
      expect(creationCodeOfEthereumData(whole.subarray(0, length)), `${length} bytes`).toBeNull();
    }
  });

  test('finds none in other types and in what is no list', () => {
    expect(creationCodeOfEthereumData(Uint8Array.of(4, 0xc0))).toBeNull();
    expect(creationCodeOfEthereumData(Uint8Array.of(2, 0x80))).toBeNull();
    expect(
      creationCodeOfEthereumData(Uint8Array.of(0xff, 255, 255, 255, 255, 255, 255, 255, 255)),
    ).toBeNull();
  });
});

describe('gasLimitOfEthereumData', () => {
  test.each(kinds)('finds the limit in a call of type $type', (kind) => {
    for (const gas of [0n, 21_000n, 15_000_000n, 2n ** 64n - 1n]) {
      expect(gasLimitOfEthereumData(serialized(kind, { gas, to: TO, data: CODE }))).toBe(gas);
    }
  });

  test.each(kinds)('finds none of more than 64 bits, and none in a cut transaction of type $type', (kind) => {
    expect(gasLimitOfEthereumData(serialized(kind, { gas: 2n ** 64n, to: TO }))).toBeNull();
    const whole = serialized(kind, { gas: 21_000n, to: TO });
    for (let length = 0; length < whole.length; length++) {
      expect(gasLimitOfEthereumData(whole.subarray(0, length)), `${length} bytes`).toBeNull();
    }
  });
});
