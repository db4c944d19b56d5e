import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { readMigrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { openSqlite } from './sqlite.ts';

test('opens with the newest schema, also the second time', () => {
  const path = join(aFolder(), 'l.sqlite');
  for (const _ of ['first', 'second']) {
    const database = openDatabase(path);
    expect(database.pragma('user_version', { simple: true })).toBe(readMigrations().length);
    database.close();
  }
});

test('is not held up by a writer when the schema is up to date', () => {
  const path = join(aFolder(), 'l.sqlite');
  const importer = openDatabase(path);
  onTestFinished(() => void importer.close());
  importer.exec('BEGIN IMMEDIATE');
  // It would wait for the lock, get none and refuse.
  expect(() => openDatabase(path).close()).not.toThrow();
});

test('a database of a newer build is refused and closed', () => {
  const path = join(aFolder(), 'l.sqlite');
  const newer = openSqlite(path);
  newer.pragma('user_version = 9999');
  newer.close();
  expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: 'database_too_new' }));
  const again = openSqlite(path);
  expect(again.pragma('user_version', { simple: true })).toBe(9999);
  // Exclusive access is granted only when nobody else has the file open.
  expect(again.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
  again.close();
});
