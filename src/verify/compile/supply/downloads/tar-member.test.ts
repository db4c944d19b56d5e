import { describe, expect, test } from 'vitest';
import { tarOf } from '../../../../../test/kit/verify/tar-of.ts';
import { readTarMember } from './registry-download.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());

describe('readTarMember', () => {
  const archive = tarOf({ 'package/a': 'first', 'package/empty': '', 'package/b': 'x'.repeat(1024) });

  test('gives the bytes of one file', () => {
    expect(text(readTarMember(archive, 'package/a'))).toBe('first');
    expect(text(readTarMember(archive, 'package/empty'))).toBe('');
    expect(text(readTarMember(archive, 'package/b'))).toBe('x'.repeat(1024));
    expect(readTarMember(archive, 'package/c')).toBeNull();
  });

  test('joins a name that is split over two fields', () => {
    const split = tarOf({ b: 'text' });
    split.write('long/folder', 345);
    expect(text(readTarMember(split, 'long/folder/b'))).toBe('text');
    expect(readTarMember(split, 'b')).toBeNull();
  });

  test('takes links and folders for no files', () => {
    const link = tarOf({ 'package/a': '' });
    link.write('2', 156);
    expect(readTarMember(link, 'package/a')).toBeNull();
  });

  test.each([
    ['is cut off', () => tarOf({ 'package/a': 'x'.repeat(600) }).subarray(0, 1000)],
    ['has a size that is none', () => tarOf({ 'package/a': '' }).fill('z', 124, 136)],
    ['is empty', () => Buffer.alloc(0)],
  ])('gives nothing of an archive that %s', (_, make) => {
    expect(readTarMember(make(), 'package/a')).toBeNull();
  });
});
