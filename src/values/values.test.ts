import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamp, printTimestamp } from './consensus-timestamp.ts';
import { decodeEntityId, encodeEntityId, parseEntityId, printEntityId } from './entity-id.ts';
import { parseHex, toHex } from './hex.ts';

describe('consensus timestamps', () => {
  test.each([
    ['1.5', 1_500_000_000n],
    ['0', 0n],
    ['1234567890.000000001', 1_234_567_890_000_000_001n],
    ['9999999999.999999999', 9_999_999_999_999_999_999n],
  ])('%s is %d nanoseconds', (text, nanos) => {
    expect(parseTimestamp(text)).toBe(nanos);
  });

  test.each(['', '.5', '1.', '1.1234567890', '12345678901', '-1', '1,5', ' 1'])('%j is refused', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  test('printing and parsing are inverse', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }), (nanos) => {
        expect(parseTimestamp(printTimestamp(nanos))).toBe(nanos);
      }),
    );
  });
});

describe('entity ids', () => {
  test('shard and realm 0 leave the number as it is', () => {
    expect(parseEntityId('0.0.98')).toBe(98n);
  });

  test.each(['1024.0.1', '0.65536.1', '0.0.274877906944', '0.1', 'a.0.1', ''])('%j is refused', (text) => {
    expect(parseEntityId(text)).toBeNull();
  });

  test('encoding and decoding are inverse over the whole range', () => {
    const part = (max: bigint) => fc.bigInt({ min: 0n, max });
    fc.assert(
      fc.property(part(1023n), part(65_535n), part(274_877_906_943n), (shard, realm, num) => {
        const id = encodeEntityId(shard, realm, num);
        expect(id).not.toBeNull();
        expect(decodeEntityId(id ?? 0n)).toEqual({ shard, realm, num });
        expect(BigInt.asIntN(64, id ?? 0n)).toBe(id);
        expect(printEntityId(id ?? 0n)).toBe(`${shard}.${realm}.${num}`);
      }),
    );
  });
});

describe('hex', () => {
  test('bytes survive a round trip', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseHex(toHex(bytes))).toEqual(bytes);
      }),
    );
  });

  test.each(['0x1', 'xyz', '0x0g', '0X00'])('%j is refused', (text) => {
    expect(parseHex(text)).toBeNull();
  });
});
