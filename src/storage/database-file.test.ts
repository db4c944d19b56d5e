import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseFile, fileIdentity } from './database-file.ts';
import { inTransaction, openSqlite, watchFile } from './sqlite.ts';
import { aFolder } from './testing/a-folder.ts';

function open() {
  const path = join(aFolder(), 'l.sqlite');
  const database = openSqlite(path);
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE t (x)');
  return { path, database, file: new DatabaseFile(path, fileIdentity(path)) };
}

describe('DatabaseFile', () => {
  test.each(['', '-wal', '-shm'])(
    'objects while the file with the ending "%s" is away or another',
    (ending) => {
      const { file, path } = open();
      expect(file.objection()).toBeNull();
      renameSync(path + ending, `${path}.away`);
      expect(file.objection()).toMatch(/deleted/);
      copyFileSync(`${path}.away`, path + ending);
      expect(file.objection()).toMatch(/replaced/);
      renameSync(`${path}.away`, path + ending);
      expect(file.objection()).toBeNull();
    },
  );

  test('keeps a transaction that began before from being committed', () => {
    const { database, file, path } = open();
    watchFile(database, file);
    const insert = () => void database.exec('INSERT INTO t VALUES (1)');
    const insertAndLose = () => {
      insert();
      rmSync(path);
    };
    expect(() => inTransaction(database, insertAndLose)).toThrow('the database file was deleted');
    expect(database.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
    expect(() => inTransaction(database, insert)).toThrow('the database file was deleted');
  });
});
