import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { inTransaction, openSqlite, type SqliteDatabase, type SqliteOptions } from './sqlite.ts';

function open(path: string, options?: SqliteOptions): SqliteDatabase {
  const database = openSqlite(path, options);
  onTestFinished(() => void database.close());
  return database;
}

const setting = (database: SqliteDatabase, name: string) => database.pragma(name, { simple: true });

describe('openSqlite', () => {
  test('makes the missing folders and the file, in WAL mode, synchronous, with foreign keys', () => {
    const path = join(aFolder(), 'deep', 'er', 'l.sqlite');
    const database = open(path);
    database.exec('CREATE TABLE t (x)');
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(setting(database, 'journal_mode')).toBe('wal');
    expect(setting(database, 'synchronous')).toBe(2);
    expect(setting(database, 'foreign_keys')).toBe(1);
    expect(setting(database, 'temp_store')).toBe(2);
    expect(setting(database, 'busy_timeout')).toBe(10_000);
  });

  test('a reader changes nothing and waits as long as it is told', () => {
    const path = join(aFolder(), 'l.sqlite');
    open(path).exec('CREATE TABLE t (x)');
    const reader = open(path, { readonly: true, busyTimeoutMs: 7 });
    expect(setting(reader, 'busy_timeout')).toBe(7);
    expect(() => reader.exec('INSERT INTO t VALUES (1)')).toThrow(/readonly/);
    expect(reader.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
  });

  test('a reader sees the last commit while a writer is at work', () => {
    const path = join(aFolder(), 'l.sqlite');
    const writer = open(path);
    writer.exec('CREATE TABLE t (x)');
    const reader = open(path, { busyTimeoutMs: 0 });
    const count = reader.prepare('SELECT count(*) FROM t').pluck();
    inTransaction(writer, () => {
      writer.exec('INSERT INTO t VALUES (1)');
      expect(count.get()).toBe(0);
    });
    expect(count.get()).toBe(1);
  });

  test('a file that is no database is refused by its path and left as it is', () => {
    const path = join(aFolder({ 'l.sqlite': 'no database, but long enough to be looked at' }), 'l.sqlite');
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({ code: 'database_unusable', message: expect.stringContaining(path) }),
    );
    expect(() => openSqlite(path)).not.toThrow('DATABASE_URL');
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test('a folder that cannot be made is refused by the path, with the variable that names another', () => {
    const path = join(aFolder({ file: '' }), 'file', 'l.sqlite');
    expect(() => openSqlite(path)).toThrow(
      expect.objectContaining({ code: 'database_unusable', message: expect.stringContaining(path) }),
    );
    expect(() => openSqlite(path)).toThrow('DATABASE_URL');
  });

  test('a reader of a missing file makes none', () => {
    const path = join(aFolder(), 'l.sqlite');
    expect(() => openSqlite(path, { readonly: true })).toThrow(
      expect.objectContaining({ code: 'database_unusable' }),
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('inTransaction', () => {
  test('commits everything and gives back what the work returns', () => {
    const database = open(':memory:');
    database.exec('CREATE TABLE t (x)');
    const result = inTransaction(database, () => {
      database.exec('INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)');
      return 'done';
    });
    expect(result).toBe('done');
    expect(database.prepare('SELECT x FROM t').pluck().all()).toEqual([1, 2]);
  });

  test('stores nothing when the work throws, and passes the error on', () => {
    const path = join(aFolder(), 'l.sqlite');
    const database = open(path);
    database.exec('CREATE TABLE t (x)');
    const fault = new Error('half way');
    expect(() =>
      inTransaction(database, () => {
        database.exec('INSERT INTO t VALUES (1); CREATE TABLE u (x)');
        throw fault;
      }),
    ).toThrow(fault);
    expect(database.inTransaction).toBe(false);
    const tables = open(path).prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    expect(tables).toEqual(['t']);
    expect(database.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
  });

  test('takes the write lock before the work reads', () => {
    const path = join(aFolder(), 'l.sqlite');
    const first = open(path);
    const second = open(path, { busyTimeoutMs: 0 });
    inTransaction(first, () => {
      let hasBegun = false;
      const work = () => {
        hasBegun = true;
      };
      expect(() => inTransaction(second, work)).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
      expect(hasBegun).toBe(false);
    });
  });
});
