import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { freshSeed, numbersFrom } from '../../../../test/support/seed.ts';
import { testShared } from '../../../../test/support/shared-suites.ts';
import { unpackBlock, zstdNeeds } from './unpack-block.ts';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** Frames of one block: raw "abc"; the byte 7 a hundred times; with a window of 2 GiB less an eighth. */
const RAW = Uint8Array.from([...MAGIC, 0x20, 3, 0x19, 0, 0, 97, 98, 99]);
const REPEATED = Uint8Array.from([...MAGIC, 0, 0, 0x23, 3, 0, 7]);
const WIDE = Uint8Array.from([...MAGIC, 0, (20 << 3) | 7, 0x19, 0, 0, 97, 98, 99]);
const NAMED_SIZE = Uint8Array.from([...MAGIC, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0, 0x19, 0, 0, 97, 98, 99]);
/** The beginning of a JSON file in Huffman and FSE codes, with a checksum. */
const CODED = Buffer.from(
  'KLUv/QRojQ0Axp5VIyBv1AbAii32NaWZkm7Ip4Y1YhE+hxc8NbsnpiPNpgIMARwPSgBNAEsA7PdI+7bdjI5Q39E7Pif9vtzK' +
    'SC5K3uu2tS20lLsYHeUf0Ja8KFkUnvqaz4ps8XHQAVlnK/8dSotoLsoAQ8AYKHcoKZ2i1JQf4CISBdeD+ot9uM+xUcjkogc7' +
    'm8ZBggUe964OElrzjr5oW0Rh9EWom55dMi49ds0Xbp1apHAGg+HFJpoeGAyFKIRZxi7io7ZPmjsoWeQvAdt8XIza44xqzSeb' +
    'hvq2K2080WBGxtyYOt+hNfGXCKFWCONK79+Rp/XOJ51PFiV4XIQq7kBuUJ8dndr+cZJrUMh7EvMA8WhQZwwQAseOUF/bGZv0' +
    'nIdWQhVfVFugMkyhydT7jpNma1uRdsbnIprToRdKFnhuxWTr2+5go9MEebqFzRcBxmSSNDG01BflMGgetFTA+dEMJShAQsMU' +
    '6wEg1CJSY+iJb66ocwCjWEV7x+t+hJsLLmwY4P5WtfXNUS+DcSrqkRchfS4/IeDVAhcNO6hzOw9ITSH53tm8HFFwWQU/zgSL' +
    'Q2NiMLHsPV9oAodhkhQ=',
  'base64',
);
const unpack = (bytes: Uint8Array, limit?: number) => Buffer.from(unpackBlock(bytes, 'a.blk', limit));

describe('unpackBlock', () => {
  test('tells gzip, zstd and plain bytes by their beginning', () => {
    const text = Buffer.from('\n\x02plain');
    expect(unpack(text)).toEqual(text);
    expect(unpack(gzipSync(text))).toEqual(text);
    expect(unpack(RAW).toString()).toBe('abc');
    expect(unpack(REPEATED)).toEqual(Buffer.alloc(100, 7));
    expect(unpack(Buffer.concat([RAW, REPEATED]))).toHaveLength(103);
  });

  test.each([
    ['plain', Buffer.alloc(101)],
    ['gzip', gzipSync(Buffer.alloc(101))],
    ['zstd', Buffer.concat([RAW, REPEATED])],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000))],
  ])('refuses more than the limit in %s', (_what, bytes) => {
    expect(() => unpack(bytes, 100)).toThrow(/more than 100 bytes/);
  });

  test.each([
    ['a window', WIDE],
    ['a content', NAMED_SIZE],
  ])('refuses a frame that asks for %s beyond the limit before it unpacks anything', (_what, bytes) => {
    expect(() => unpack(bytes)).toThrow(/more than 134217728 bytes/);
  });

  test('refuses frames that together ask for more than the limit, however small they are', () => {
    const half = Uint8Array.from([...MAGIC, 0, 16 << 3, 0x19, 0, 0, 97, 98, 99]);
    expect(unpack(half).toString()).toBe('abc');
    expect(() => unpack(Buffer.concat([half, half, half]))).toThrow(/more than 134217728 bytes/);
    const many = Buffer.concat(Array.from({ length: 1001 }, () => RAW));
    expect(unpack(many.subarray(RAW.length))).toHaveLength(3000);
    expect(() => unpack(many)).toThrow(/more than 1000 frames/);
  });

  test.each([
    ['a cut gzip file', gzipSync(Buffer.from('abc')).subarray(0, 15)],
    [
      'gzip with another checksum',
      Buffer.concat([gzipSync(Buffer.from('abc')).subarray(0, -8), Buffer.alloc(8)]),
    ],
    ['a cut zstd frame', RAW.subarray(0, 11)],
    ['a cut zstd header', RAW.subarray(0, 5)],
    ['bytes after a zstd frame', Buffer.concat([RAW, Buffer.from('abcd')])],
    ['a reserved block of zstd', Uint8Array.from([...MAGIC, 0x20, 3, 0x1f, 0, 0, 97, 98, 99])],
  ])('refuses %s', (_what, bytes) => {
    expect(() => unpack(bytes)).toThrow(expect.objectContaining({ code: 'malformed' }));
  });

  test('whatever is changed in compressed data, it is refused as malformed or unpacked, in time', () => {
    expect(unpack(CODED)).toHaveLength(700);
    const random = numbersFrom(freshSeed());
    const below = (count: number) => Math.floor(random() * count);
    for (let turn = 0; turn < 3000; turn += 1) {
      const bytes = Buffer.from(CODED);
      for (let changes = 1 + below(4); changes > 0; changes -= 1)
        bytes[4 + below(bytes.length - 4)] = below(256);
      const from = below(bytes.length);
      const given =
        turn % 4 === 0 ? Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + below(9))]) : bytes;
      const begun = process.cpuUsage();
      try {
        unpackBlock(given, 'a.blk', 1_000_000);
      } catch (error) {
        expect(error, given.toString('hex')).toMatchObject({ code: 'malformed' });
      }
      expect(process.cpuUsage(begun).user, given.toString('hex')).toBeLessThan(5_000_000);
    }
  });

  testShared('knows what a real file of zstd needs', () => {
    const file = readFileSync(
      streamPath('blocks-wrapped-mainnet', 'genesis', '0000000000000000000.blk.zstd'),
    );
    const needs = zstdNeeds(file);
    expect('bytes' in needs && needs.bytes).toBeGreaterThan(0);
    expect('bytes' in needs && needs.bytes).toBeLessThan(16 * 1024 * 1024);
    expect(unpack(file)).toHaveLength(3_288_916);
    expect(() => unpack(file, 3_288_915)).toThrow(/more than 3288915 bytes/);
  });
});
