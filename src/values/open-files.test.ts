import { expect, test } from 'vitest';
import { connectionsWithin, isOutOfFiles, readOpenFilesLimit } from './open-files.ts';

test.each([
  [
    'Limit   Soft Limit  Hard Limit Units\nMax open files            256                  4096    files\n',
    256,
  ],
  ['Max open files            unlimited            unlimited            files\n', null],
  ['', null],
])('reads the limit from %j', (text, limit) => {
  expect(readOpenFilesLimit(text)).toBe(limit);
});

test.each([
  [null, null],
  [96, 24],
  [256, 184],
  [1024, 768],
  [65_536, 64_512],
])('a limit of %j leaves %j connections', (limit, connections) => {
  expect(connectionsWithin(limit)).toBe(connections);
});

test('knows a lack of files in whatever it was wrapped', () => {
  const lack = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  expect(isOutOfFiles(lack)).toBe(true);
  expect(isOutOfFiles(new Error('fetch failed', { cause: new Error('inner', { cause: lack }) }))).toBe(true);
  expect(isOutOfFiles(Object.assign(new Error('x'), { code: 'ENFILE' }))).toBe(true);
  expect(isOutOfFiles(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false);
  expect(isOutOfFiles('EMFILE')).toBe(false);
});
