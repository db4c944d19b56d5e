import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../values/clock.ts';
import { CompilerSourceError } from '../compiler-catalog.ts';
import { CompilerCache } from './compiler-cache.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ledgerlens-cache-'));
});
afterEach(() => rmSync(base, { recursive: true }));

describe('the folder of kept compilers', () => {
  test('holds a file and its checksum, and nothing of work that failed', async () => {
    const cache = new CompilerCache(join(base, 'a', 'b'));
    const path = await cache.withScratch(async (scratch) => {
      writeFileSync(join(scratch, 'x'), 'bytes');
      return cache.keep(join(scratch, 'x'), 'name', 'abc');
    });
    expect(path).toBe(join(base, 'a', 'b', 'name'));
    expect(readFileSync(path, 'utf8')).toBe('bytes');
    expect(readFileSync(`${path}.sha256`, 'utf8')).toBe('abc  name\n');
    let scratchFolder = '';
    const failing = cache.withScratch(async (scratch) => {
      scratchFolder = scratch;
      throw new Error('broken off');
    });
    await expect(failing).rejects.toThrow('broken off');
    expect(existsSync(scratchFolder)).toBe(false);
  });

  test('cannot be where a file is, and says so', async () => {
    writeFileSync(join(base, 'file'), '');
    const cache = new CompilerCache(join(base, 'file'));
    await expect(cache.folder()).rejects.toThrow(CompilerSourceError);
    await expect(cache.withScratch(async () => 1)).rejects.toThrow(
      /compilers cannot be kept in .*file: EEXIST/,
    );
  });

  test('is cleaned of what killed processes left a day ago', async () => {
    const left = join(base, '.new-left');
    mkdirSync(left);
    const clock = new ManualClock(Date.now() + 3_600_000);
    await new CompilerCache(base, clock).withScratch(async () => {});
    expect(existsSync(left)).toBe(true);
    clock.advance(86_400_000);
    await new CompilerCache(base, clock).withScratch(async () => {});
    expect(existsSync(left)).toBe(false);
  });

  test('may be a temporary one, which ends with its user', async () => {
    const cache = new CompilerCache(null);
    expect(cache.path).toBeNull();
    const folder = await cache.folder();
    expect(cache.path).toBe(folder);
    await cache.close();
    expect(existsSync(folder)).toBe(false);
  });
});
