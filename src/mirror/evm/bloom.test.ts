import * as Bloom from 'ox/Bloom';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { bareHex, parseHex, toHex } from '../../values/hex.ts';
import { BLOOM_BYTES, bloomOf, orInto } from './bloom.ts';
import { packBloom, unpackBloom } from './packed-bloom.ts';

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();
const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
const topic = fc.uint8Array({ minLength: 0, maxLength: 32 });
const logs = fc.array(fc.tuple(address, fc.array(topic, { maxLength: 4 })), { maxLength: 20 });
const padded = (cut: Uint8Array) => bytes(bareHex(cut).padStart(64, '0'));
const hasIn = (bloom: Uint8Array, value: Uint8Array) => Bloom.contains(toHex(bloom), toHex(value));

describe('bloomOf', () => {
  test('sets three bits for each value', () => {
    const transfer = bytes('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
    const bloom = bloomOf(bytes('00000000000000000000000000000000000004e2'), [transfer]);
    const bits = [...bloom].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    expect(bloom).toHaveLength(BLOOM_BYTES);
    expect(bits).toBe(6);
    expect(hasIn(bloom, transfer)).toBe(true);
    expect(hasIn(bloom, bytes('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'))).toBe(
      false,
    );
  });

  test('takes a topic without its leading zeros as the word that it is', () => {
    const token = new Uint8Array(20).fill(3);
    for (const cut of ['', '00', '04e2', 'ff'.repeat(31)]) {
      expect(bloomOf(token, [bytes(cut)])).toEqual(bloomOf(token, [padded(bytes(cut))]));
    }
    expect(bloomOf(token, [bytes('04e2')])).not.toEqual(bloomOf(token, [bytes('e204')]));
  });

  test('has the address and the topics of each of many logs, joined', () => {
    fc.assert(
      fc.property(logs, (all) => {
        const joined = new Uint8Array(BLOOM_BYTES);
        for (const [emitter, topics] of all) orInto(joined, bloomOf(emitter, topics));
        for (const [emitter, topics] of all) {
          expect(hasIn(joined, emitter)).toBe(true);
          for (const each of topics) expect(hasIn(joined, padded(each))).toBe(true);
        }
      }),
    );
  });

  test('has no other bits than those of its values, also when more values were seen than are remembered', () => {
    for (let number = 0; number < 5000; number++) {
      const value = new Uint8Array(20);
      new DataView(value.buffer).setUint32(16, number);
      const bits = [...bloomOf(value, [])].reduce(
        (sum, byte) => sum + byte.toString(2).replaceAll('0', '').length,
        0,
      );
      if (bits < 1 || bits > 3 || !hasIn(bloomOf(value, []), value)) expect.fail(`${number}`);
    }
    expect(bloomOf(new Uint8Array(20), [])).toEqual(bloomOf(new Uint8Array(20), []));
  });
});

describe('orInto', () => {
  test('takes what both have of filters of another length', () => {
    const target = new Uint8Array(BLOOM_BYTES);
    orInto(target, Uint8Array.of(1, 2));
    orInto(target, new Uint8Array());
    orInto(target, new Uint8Array(300).fill(4));
    expect([...target.slice(0, 3)]).toEqual([5, 6, 4]);
    expect(target).toHaveLength(BLOOM_BYTES);
  });
});

describe('packBloom', () => {
  const sizeOf = (bloom: Uint8Array) => packBloom(bloom)?.length;

  test('takes about 30 bytes for a log and one for an empty filter', () => {
    const log = bloomOf(
      new Uint8Array(20).fill(1),
      [1, 2, 3, 4].map((byte) => new Uint8Array(32).fill(byte)),
    );
    expect(sizeOf(log)).toBeLessThanOrEqual(31);
    expect(sizeOf(new Uint8Array(BLOOM_BYTES))).toBe(1);
  });

  test('is never more than a byte longer than a filter', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: BLOOM_BYTES, maxLength: BLOOM_BYTES }), (bloom) => {
        expect(sizeOf(bloom)).toBeLessThanOrEqual(BLOOM_BYTES + 2);
      }),
    );
  });

  test.each([
    ['null', null],
    ['an empty one', ''],
    ['two bytes', '0102'],
    ['the tag', 'ff'],
    ['the tag twice', 'ffff'],
    ['what looks like a list', 'ff0001'],
    ['one byte less', '01'.repeat(255)],
    ['one byte more', '00'.repeat(257)],
    ['all bits', 'ff'.repeat(256)],
    ['no bits', '00'.repeat(256)],
    ['127 bits', `${'ff'.repeat(15)}7f${'00'.repeat(240)}`],
    ['128 bits', `${'ff'.repeat(16)}${'00'.repeat(240)}`],
  ])('reads %s back', (_, hex) => {
    const bloom = hex === null ? null : bytes(hex);
    expect(unpackBloom(packBloom(bloom))).toEqual(bloom);
  });

  test('reads more bytes back than a call takes arguments', () => {
    const long = Buffer.alloc(300_000, 255);
    expect(long.equals(unpackBloom(packBloom(long)) ?? new Uint8Array())).toBe(true);
  });

  test('stores null, empty and dense filters as they are', () => {
    const dense = new Uint8Array(BLOOM_BYTES).fill(0x55);
    expect(packBloom(null)).toBeNull();
    expect(packBloom(new Uint8Array())).toHaveLength(0);
    expect(packBloom(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2));
    expect(packBloom(dense)).toEqual(dense);
  });

  test('reads any bytes back exactly', () => {
    const sparse = fc.array(fc.nat(2047), { maxLength: 140 }).map((bits) => {
      const bloom = new Uint8Array(BLOOM_BYTES);
      for (const bit of bits) bloom[bit >> 3] = (bloom[bit >> 3] ?? 0) | (1 << (bit & 7));
      return bloom;
    });
    const tagged = fc.uint8Array({ maxLength: 300 }).map((rest) => Uint8Array.of(255, ...rest));
    fc.assert(
      fc.property(fc.oneof(sparse, tagged, fc.uint8Array({ maxLength: 300 })), (bloom) => {
        expect(unpackBloom(packBloom(bloom))).toEqual(bloom);
      }),
    );
  });
});
