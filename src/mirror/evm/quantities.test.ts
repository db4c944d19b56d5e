import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { parseHex } from '../../values/hex.ts';
import {
  ethereumAmount,
  ethereumGasPrice,
  paddedHex,
  plainAmount,
  quantity,
  signedOf,
  unsignedBytes,
  unsignedOf,
  word,
  wordOfHex,
} from './quantities.ts';

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();

describe('quantity', () => {
  test.each([
    ['', '0x'],
    ['00', '0x0'],
    ['01', '0x1'],
    ['10', '0x10'],
    ['012a', '0x12a'],
    ['0000', '0x000'],
    ['000a', '0x00a'],
    ['128a', '0x128a'],
  ])('prints %s as %s', (hex, printed) => {
    expect(quantity(bytes(hex))).toBe(printed);
  });

  test('prints null as no bytes', () => {
    expect(quantity(null)).toBe('0x');
  });
});

describe('word', () => {
  test('fills up to 64 digits and cuts none', () => {
    expect(word(bytes(''))).toBe(`0x${'0'.repeat(64)}`);
    expect(word(bytes('04e2'))).toBe(`0x${'0'.repeat(60)}04e2`);
    expect(word(bytes('ab'.repeat(32)))).toBe(`0x${'ab'.repeat(32)}`);
    expect(word(bytes('ab'.repeat(33)))).toBe(`0x${'ab'.repeat(33)}`);
    expect(paddedHex(bytes('01'), 40)).toBe(`0x${'0'.repeat(39)}1`);
  });

  test.each(['', '04e2', 'ab'.repeat(32), 'ab'.repeat(33)])('is the same of hex: %s', (hex) => {
    expect(wordOfHex(`0x${hex}`)).toBe(word(bytes(hex)));
  });
});

describe('numbers in bytes', () => {
  test('are read with and without a sign', () => {
    expect([unsignedOf(bytes('')), signedOf(bytes(''))]).toEqual([0n, 0n]);
    expect([unsignedOf(bytes('ff')), signedOf(bytes('ff'))]).toEqual([255n, -1n]);
    expect([unsignedOf(bytes('00ff')), signedOf(bytes('00ff'))]).toEqual([255n, 255n]);
    expect(signedOf(bytes('80'.padEnd(64, '0')))).toBe(-(2n ** 255n));
  });

  test('are the fewest that a number needs, and read back', () => {
    expect(unsignedBytes(0n)).toEqual(Uint8Array.of(0));
    expect(unsignedBytes(0x128n)).toEqual(Uint8Array.of(1, 0x28));
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 300n }), (value) => {
        expect(unsignedOf(unsignedBytes(value))).toBe(value);
        expect(quantity(unsignedBytes(value))).toBe(`0x${value.toString(16)}`);
      }),
    );
  });
});

describe('ethereumAmount', () => {
  test.each([
    ['00', 0n, 0n],
    ['02540be3ff', 0n, 9_999_999_999n],
    ['02540be400', 1n, 10_000_000_000n],
    ['0de0b6b3a7640000', 100_000_000n, 10n ** 18n],
    // More than a double holds.
    ['03ffffffffffffffff', 7_378_697_629n, 73_786_976_294_838_206_463n],
    ['008ac7230489e80000', 1_000_000_000n, 10n ** 19n],
    // A value whose highest bit is set is negative in tinybars and is not in weibars, as the reference has it.
    ['8ac7230489e80000', -844_674_407n, 10n ** 19n],
    ['ff', 0n, 255n],
  ])('of %s', (hex, tinybars, weibars) => {
    const value = bytes(hex);
    expect([ethereumAmount(value, true), ethereumAmount(value, false)]).toEqual([tinybars, weibars]);
  });

  test('is not known without bytes', () => {
    for (const hbar of [true, false]) {
      expect([ethereumAmount(null, hbar), ethereumAmount(bytes(''), hbar)]).toEqual([null, null]);
    }
  });

  test('is exact beyond what a double holds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 255n - 1n }), (value) => {
        const signed = bytes(value.toString(16).padStart(64, '0'));
        expect(ethereumAmount(signed, true)).toBe(value / 10n ** 10n);
        expect(ethereumAmount(signed, false)).toBe(value);
      }),
    );
  });
});

describe('ethereumGasPrice', () => {
  test.each([
    [null, '0x', '0x'],
    ['', '0x', '0x'],
    ['00', '0x0', '0x0'],
    ['02540be3ff', '0x0', '0x2540be3ff'],
    ['a54f4c3c00', '0x47', '0xa54f4c3c00'],
    ['000a54f4c3c000', '0x470', '0x00a54f4c3c000'],
    ['ffffffffffffffff', '0x6df37f67', '0xffffffffffffffff'],
  ])('of %s is %s and %s', (hex, tinybars, weibars) => {
    const price = hex === null ? null : bytes(hex);
    expect([ethereumGasPrice(price, true), ethereumGasPrice(price, false)]).toEqual([tinybars, weibars]);
  });
});

describe('plainAmount', () => {
  test('is multiplied for weibars alone, and null stays', () => {
    expect([plainAmount(5n, true), plainAmount(5n, false)]).toEqual([5n, 50_000_000_000n]);
    expect([plainAmount(null, true), plainAmount(null, false)]).toEqual([null, null]);
    expect(plainAmount(2n ** 63n - 1n, false)).toBe((2n ** 63n - 1n) * 10n ** 10n);
  });
});
