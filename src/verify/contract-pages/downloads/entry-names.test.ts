import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { entryNames } from './zip-files.ts';

describe('entryNames', () => {
  test.each([
    ['a/b.sol', 'a/b.sol'],
    ['../../etc/passwd', '_/_/etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\a\\b.sol', 'C_/a/b.sol'],
    ['./a//b.sol', 'a/b.sol'],
    ['con.sol', '_con.sol'],
    ['a\u202etxt.sol', 'a_txt.sol'],
    ['a. /b', 'a_/b'],
    ['', '_'],
  ])('%j is unpacked as %j', async (path, name) => {
    expect(await entryNames([path])).toEqual([name]);
  });

  test('keeps apart what some systems take for one, and files from folders', async () => {
    expect(await entryNames(['A.sol', 'a.sol', 'a', 'a/b'])).toEqual(['A.sol', 'a-2.sol', 'a-2', 'a/b']);
    expect(await entryNames(['\u00e4', 'a\u0308'])).toEqual(['\u00e4', 'a\u0308-2']);
  });

  test('of thousands of paths that become the same are counted once', async () => {
    const paths = Array.from(
      { length: 20_000 },
      (_, index) => `${String.fromCodePoint(0xf0000 + index)}.sol`,
    );
    const names = await entryNames(paths);
    expect([names[0], names[1], names.at(-1)]).toEqual(['_.sol', '_-2.sol', '_-20000.sol']);
  });

  test('of the longest paths are made in many turns, none of which is a long one', async () => {
    const folders = 'abcdefg/'.repeat(500);
    const paths = Array.from({ length: 2_000 }, (_, index) => `${index}/${folders}${index}.sol`);
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const names = await entryNames([...paths, 'x'.repeat(10_000_000)]);
    clearInterval(count);
    expect(turns).toBeGreaterThan(20);
    expect(names[7]).toBe(`7/${'abcdefg/'.repeat(18)}7.sol`);
    expect(new Set(names).size).toBe(paths.length + 1);
  });

  test('are safe whatever the paths are', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'A',
      'con',
      'a:b',
      '\u202e',
      'x'.repeat(300),
      '\ud800',
      ' ',
      '…',
    );
    const path = fc.array(part, { maxLength: 30 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 20 }), async (paths) => {
        const names = await entryNames(paths);
        const folded = names.map((name) => name.normalize('NFC').toLowerCase());
        expect(new Set(folded).size).toBe(paths.length);
        for (const name of folded) {
          expect(name.split('/').every((each) => each !== '' && each !== '.' && each !== '..')).toBe(true);
          expect(name).not.toMatch(/[\\:]|^\/|\p{C}/u);
          expect(folded.some((other) => other.startsWith(`${name}/`))).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});
