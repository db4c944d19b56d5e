import { describe, expect, test } from 'vitest';
import { IN_MEMORY, parseDatabaseUrl } from './database-url.ts';

describe('parseDatabaseUrl', () => {
  test.each([
    ['sqlite:data/ledgerlens.sqlite', 'data/ledgerlens.sqlite', 'data'],
    ['sqlite:/var/lib/l.sqlite', '/var/lib/l.sqlite', '/var/lib'],
    ['sqlite:a file:with colons', 'a file:with colons', '.'],
  ])('%s is the file %s in the folder %s', (url, path, folder) => {
    expect(parseDatabaseUrl(url)).toEqual({ kind: 'sqlite', url, path, folder });
  });

  test('a database in memory has no file and no folder', () => {
    expect(parseDatabaseUrl('sqlite::memory:')).toBe(IN_MEMORY);
    expect(IN_MEMORY).toMatchObject({ path: null, folder: null });
  });

  test.each([
    'sqlite://memory',
    'sqlite://:memory:',
    'sqlite:///:memory:',
    'sqlite:memory',
    'sqlite::memory',
    'SQLITE::MEMORY:',
    ':memory:',
    'memory',
  ])('%s is refused with the right spelling', (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow('must be "sqlite::memory:" for a database in memory');
  });

  test.each(['', 'sqlite:', 'sqlite', 'SQLITE:x', 'data/l.sqlite', 'mysql://host/l'])(
    '%j is refused',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: 'unsupported_database' }));
    },
  );

  test('a refused value is not repeated, it may hold a password', () => {
    expect(() => parseDatabaseUrl('postgres://me:secret@host/l')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});
