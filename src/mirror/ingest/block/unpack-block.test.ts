import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { testShared } from '../../../../test/support/shared-suites.ts';
import { unpackBlock, zstdNeeds } from './unpack-block.ts';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** Frames of one block: raw "abc"; the byte 7 a hundred times; with a window of 2 GiB less an eighth. */
const RAW = Uint8Array.from([...MAGIC, 0x20, 3, 0x19, 0, 0, 97, 98, 99]);
const REPEATED = Uint8Array.from([...MAGIC, 0, 0, 0x23, 3, 0, 7]);
const WIDE = Uint8Array.from([...MAGIC, 0, (20 << 3) | 7, 0x19, 0, 0, 97, 98, 99]);
const NAMED_SIZE = Uint8Array.from([...MAGIC, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0, 0x19, 0, 0, 97, 98, 99]);
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
