import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import { ManualClock } from '../../../values/clock.ts';
import { createDiskOutputCache } from './output-cache.disk.ts';

const { input: _, ...compilation } = aCompilation({});
const OUTPUT = { compilation, milliseconds: 12.5 };
const key = (digit: string) => digit.repeat(64);

describe('the outputs on disk', () => {
  let folder = '';
  const clock = new ManualClock(1_700_000_000_000);
  let ids = 0;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'ledgerlens-outputs-')), 'made', 'when-needed');
  });
  afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true }));
  const aCache = (maxBytes = 1_000_000) =>
    createDiskOutputCache(folder, maxBytes, clock, () => String(ids++));
  const fileOf = (digit: string) => join(folder, `${key(digit)}.output`);
  const keptKeys = () => readdirSync(folder).map((name) => name[0]);

  test('come back as they were, also to another process', async () => {
    expect(await aCache().read(key('a'))).toBeNull();
    await aCache().write(key('a'), OUTPUT);
    expect(await aCache().read(key('a'))).toEqual(OUTPUT);
    expect(await aCache().read(key('b'))).toBeNull();
  });

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['empty', () => Buffer.alloc(0)],
    ['changed', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)))],
  ])('count as absent when the file is %s, until they are written again', async (_how, damage) => {
    const cache = aCache();
    await cache.write(key('a'), OUTPUT);
    writeFileSync(fileOf('a'), damage(readFileSync(fileOf('a'))));
    expect(await cache.read(key('a'))).toBeNull();
    await cache.write(key('a'), OUTPUT);
    expect(await cache.read(key('a'))).toEqual(OUTPUT);
  });

  test('make room for new ones, the least recently used goes first', async () => {
    await aCache().write(key('0'), OUTPUT);
    const size = readFileSync(fileOf('0')).length;
    const cache = aCache(size * 3 + size / 2);
    for (const digit of ['1', '2']) {
      clock.advance(1000);
      await cache.write(key(digit), OUTPUT);
    }
    clock.advance(1000);
    await cache.read(key('0'));
    clock.advance(1000);
    await cache.write(key('3'), OUTPUT);
    expect(keptKeys().sort()).toEqual(['0', '2', '3']);
  });

  test('may be deleted while the server works', async () => {
    const cache = aCache();
    await cache.write(key('a'), OUTPUT);
    rmSync(folder, { recursive: true });
    expect(await cache.read(key('a'))).toBeNull();
    await cache.write(key('b'), OUTPUT);
    expect(await cache.read(key('b'))).toEqual(OUTPUT);
  });

  test('that cannot be put into place leave nothing behind', async () => {
    mkdirSync(fileOf('a'), { recursive: true });
    await expect(aCache().write(key('a'), OUTPUT)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([`${key('a')}.output`]);
  });

  test('larger than the whole space are not kept', async () => {
    await aCache(10).write(key('a'), OUTPUT);
    expect(await aCache(10).read(key('a'))).toBeNull();
  });

  test('of other origin stay; what an ended process left unfinished goes after an hour', async () => {
    await aCache().write(key('0'), OUTPUT);
    const [foreign, abandoned, recent] = [
      'notes.txt',
      `${key('1')}.x.unfinished`,
      `${key('2')}.x.unfinished`,
    ];
    for (const name of [foreign, abandoned, recent]) writeFileSync(join(folder, name), 'x'.repeat(5000));
    const now = clock.now() / 1000;
    utimesSync(join(folder, abandoned), now - 3700, now - 3700);
    utimesSync(join(folder, recent), now - 60, now - 60);
    await aCache(6000).write(key('3'), OUTPUT);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([foreign, recent]));
    expect(readdirSync(folder)).not.toContain(abandoned);
  });
});
