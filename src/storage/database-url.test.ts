import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, parseDatabaseUrl } from './database-url.ts';
import { readMigrations } from './migrations.ts';
import { openSqlite } from './sqlite.ts';
import { aFolder } from './testing/a-folder.ts';

describe('parseDatabaseUrl', () => {
  test.each([
    ['sqlite::memory:', ':memory:'],
    ['sqlite:data/ledgerlens.sqlite', 'data/ledgerlens.sqlite'],
    ['sqlite:/var/lib/l.sqlite', '/var/lib/l.sqlite'],
    ['sqlite:a file:with colons', 'a file:with colons'],
  ])('%s is the file %s', (url, path) => {
    expect(parseDatabaseUrl(url)).toBe(path);
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

describe('openDatabase', () => {
  test('opens with the newest schema, also the second time', () => {
    const url = `sqlite:${join(aFolder(), 'l.sqlite')}`;
    for (const _ of ['first', 'second']) {
      const database = openDatabase(url);
      expect(database.pragma('user_version', { simple: true })).toBe(readMigrations().length);
      database.close();
    }
  });

  test('is not held up by a writer when the schema is up to date', () => {
    const path = join(aFolder(), 'l.sqlite');
    const importer = openDatabase(`sqlite:${path}`);
    onTestFinished(() => void importer.close());
    importer.exec('BEGIN IMMEDIATE');
    // The writer never ends: whoever needed its lock would give up.
    expect(() => openDatabase(`sqlite:${path}`).close()).not.toThrow();
  });

  test('a database of a newer build is refused and closed', () => {
    const path = join(aFolder(), 'l.sqlite');
    const newer = openSqlite(path);
    newer.pragma('user_version = 9999');
    newer.close();
    expect(() => openDatabase(`sqlite:${path}`)).toThrow(
      expect.objectContaining({ code: 'database_too_new' }),
    );
    const again = openSqlite(path);
    expect(again.pragma('user_version', { simple: true })).toBe(9999);
    // Exclusive access is granted only when nobody else has the file open.
    expect(again.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
    again.close();
  });
});
