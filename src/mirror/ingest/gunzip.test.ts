import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip } from './gunzip.ts';

const MIB = 1_048_576;
const EMPTY = gzipSync(Buffer.alloc(0));
const withSize = (packed: Buffer, size: number): Buffer => {
  const changed = Buffer.from(packed);
  changed.writeUInt32LE(size, changed.length - 4);
  return changed;
};

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.of(1)],
  ['what cannot be packed', randomBytes(100_000)],
  ['what packs well', Buffer.alloc(3 * MIB, 'record')],
])('unpacks %s', (_, content) => {
  expect(Buffer.compare(gunzip(gzipSync(content), 4 * MIB), content)).toBe(0);
});

const LARGE = Buffer.alloc(8 * MIB, 'record');
const PACKED = gzipSync(LARGE);

function microsOf(packed: Buffer): number {
  const rounds = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    expect(gunzip(packed, 9 * MIB).length).toBe(LARGE.length);
    const { system, user } = process.cpuUsage(before);
    return system + user;
  });
  return Math.min(...rounds);
}

test.each([
  ['zeros behind it', Buffer.concat([PACKED, Buffer.alloc(4)])],
  ['an empty part behind it', Buffer.concat([PACKED, EMPTY])],
])('whose end states no size takes little longer: %s', (_, packed) => {
  expect(microsOf(packed)).toBeLessThan(4 * microsOf(PACKED));
});

test('more than is allowed is refused, whatever the end states', () => {
  for (const size of [0, 1, LARGE.length, 0xffff_ffff]) {
    expect(() => gunzip(withSize(PACKED, size), MIB)).toThrow(
      expect.objectContaining({ code: size === LARGE.length ? 'ERR_BUFFER_TOO_LARGE' : expect.any(String) }),
    );
  }
});
