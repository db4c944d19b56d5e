import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseFile, fileIdentity } from './database-file.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

let folder: string;
let path: string;
let database: SqliteDatabase;
let file: DatabaseFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-file-'));
  path = join(folder, 'l.sqlite');
  database = openSqlite(path);
  database.exec('create table t (a); insert into t values (zeroblob(100000)), (zeroblob(100000))');
  database.pragma('wal_checkpoint(truncate)');
  file = new DatabaseFile(path, fileIdentity(path));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([0, 50, 10_000])('objects to a file that is cut off after %d bytes', (bytes) => {
  expect(file.objection()).toBeNull();
  truncateSync(path, bytes);
  expect(file.objection()).toBe('the database file was truncated');
  expect(file.objection()).toBe('the database file was truncated');
});

test('does not object to a file that was packed', () => {
  database.exec('delete from t where rowid = 1; vacuum');
  database.pragma('wal_checkpoint(truncate)');
  expect(file.objection()).toBeNull();
});
