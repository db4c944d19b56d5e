import { describe, expect, test } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { ManualClock, systemClock } from './clock.ts';
import {
  MAX_CONSENSUS_TIMESTAMP,
  parseTimestamp,
  printTimestamp,
  timestampFromParts,
} from './consensus-timestamp.ts';
import { decodeEntityId, encodeEntityId, parseEntityId, printEntityId } from './entity-id.ts';
import { bareHex, parseHex, toHex } from './hex.ts';
import { LedgerlensError } from './ledgerlens-error.ts';

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

  test.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [1_500_000_000n, '1.500000000'],
    [-1n, '-0.000000001'],
    [MAX_CONSENSUS_TIMESTAMP, '9223372036.854775807'],
  ])('%d nanoseconds are printed as %s', (nanos, text) => {
    expect(printTimestamp(nanos)).toBe(text);
  });

  test('the members of a protobuf timestamp add up without rounding', () => {
    expect(timestampFromParts(9_223_372_036n, 854_775_807)).toBe(MAX_CONSENSUS_TIMESTAMP);
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

  test('the highest shard makes the encoded id negative, and it is still printed right', () => {
    const id = parseEntityId('1023.65535.274877906943');
    expect(id).toBe(-1n);
    expect(printEntityId(-1n)).toBe('1023.65535.274877906943');
  });

  test('leading zeros are read, twenty digits are not', () => {
    expect(parseEntityId('00.0.0098')).toBe(98n);
    expect(parseEntityId('0.0.00000000000000000098')).toBeNull();
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

  test('a view into a longer buffer prints its own bytes alone', () => {
    const view = new Uint8Array([1, 2, 0xab, 4]).subarray(1, 3);
    expect([toHex(view), bareHex(view)]).toEqual(['0x02ab', '02ab']);
  });

  test.each([
    ['', []],
    ['0x', []],
    ['AbCd', [0xab, 0xcd]],
    ['0xABcd', [0xab, 0xcd]],
  ])('%j is read with and without prefix, in any letter case', (text, bytes) => {
    expect(parseHex(text)).toEqual(Uint8Array.from(bytes));
  });

  test.each(['0x1', 'xyz', '0x0g', '0X00'])('%j is refused', (text) => {
    expect(parseHex(text)).toBeNull();
  });
});

describe('clocks', () => {
  test('a manual clock stands still until it is moved', () => {
    const clock = new ManualClock(1000);
    expect([clock.now(), clock.now()]).toEqual([1000, 1000]);
    clock.advance(5);
    expect(clock.now()).toBe(1005);
    clock.set(7);
    expect(clock.now()).toBe(7);
  });

  test('the clock of the system counts milliseconds since 1970', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('LedgerlensError', () => {
  class OddError extends LedgerlensError {}

  test('carries code, details and cause, and the name of its own class', () => {
    const cause = new Error('below');
    const error = new OddError('odd', 'Something is odd', { details: { id: 7 }, cause });
    expect(error).toMatchObject({ code: 'odd', message: 'Something is odd', name: 'OddError', cause });
    expect(error.details).toEqual({ id: 7 });
  });

  test('has empty details and no cause unless given', () => {
    const error = new LedgerlensError('odd', 'Something is odd');
    expect(error.details).toEqual({});
    expect('cause' in error).toBe(false);
  });
});
