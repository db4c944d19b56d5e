import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { type Migration, migrate, migrationState, readMigrations } from './migrations.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

const FIRST: Migration = { version: 1, name: '0001-first.sql', sql: 'CREATE TABLE a (x)' };
const SECOND: Migration = { version: 2, name: '0002-second.sql', sql: 'CREATE TABLE b (x)' };

function aDatabase(path = ':memory:'): SqliteDatabase {
  const database = openSqlite(path);
  onTestFinished(() => void database.close());
  return database;
}

const tables = (database: SqliteDatabase) =>
  database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
const version = (database: SqliteDatabase) => database.pragma('user_version', { simple: true });

describe('readMigrations', () => {
  test('gives the files in the order of their numbers and ignores what is no SQL', () => {
    const folder = aFolder({ '0002-b.sql': 'B', '0001-a-1.sql': 'A', 'README.md': '' });
    expect(readMigrations(folder)).toEqual([
      { version: 1, name: '0001-a-1.sql', sql: 'A' },
      { version: 2, name: '0002-b.sql', sql: 'B' },
    ]);
  });

  test.each([
    ['a gap', ['0001-a.sql', '0003-c.sql'], '0003-c.sql', '0002-topic.sql'],
    ['a number given twice', ['0001-a.sql', '0001-b.sql'], '0001-b.sql', '0002-topic.sql'],
    ['a start after 1', ['0002-b.sql'], '0002-b.sql', '0001-topic.sql'],
    ['a short number', ['1-a.sql'], '1-a.sql', '0001-topic.sql'],
    ['a name without topic', ['0001.sql'], '0001.sql', '0001-topic.sql'],
    ['capital letters', ['0001-A.sql'], '0001-A.sql', '0001-topic.sql'],
  ])('%s is refused, naming the file and what was expected', (_, names, culprit, expected) => {
    const folder = aFolder(Object.fromEntries(names.map((name) => [name, ''])));
    expect(() => readMigrations(folder)).toThrow(
      expect.objectContaining({
        code: 'migration_numbering',
        message: expect.stringMatching(new RegExp(`${culprit}: .*${expected}`)),
      }),
    );
  });

  test('those of the product are numbered without a gap and apply to an empty database', () => {
    const database = aDatabase();
    migrate(database);
    expect(version(database)).toBe(readMigrations().length);
    expect(tables(database)).toEqual(expect.arrayContaining(['status_page', 'status_incident']));
  });
});

describe('migrate', () => {
  test('applies what is missing, once, and says what it was', () => {
    const database = aDatabase();
    expect(migrate(database, [FIRST])).toEqual({ from: 0, to: 1, pending: [FIRST.name] });
    expect(migrate(database, [FIRST, SECOND])).toEqual({ from: 1, to: 2, pending: [SECOND.name] });
    expect(migrate(database, [FIRST, SECOND])).toEqual({ from: 2, to: 2, pending: [] });
    expect(migrationState(database, [FIRST, SECOND]).pending).toEqual([]);
    expect(tables(database)).toEqual(['a', 'b']);
  });

  test('a migration that fails leaves those before it and nothing of itself', () => {
    const database = aDatabase();
    const broken = { ...SECOND, sql: 'CREATE TABLE b (x); CREATE TABLE a (x)' };
    expect(() => migrate(database, [FIRST, broken])).toThrow(/already exists/);
    expect([version(database), tables(database)]).toEqual([1, ['a']]);
    migrate(database, [FIRST, SECOND]);
    expect(tables(database)).toEqual(['a', 'b']);
  });

  test('a database of a newer build is refused untouched', () => {
    const database = aDatabase();
    database.pragma('user_version = 3');
    expect(() => migrate(database, [FIRST, SECOND])).toThrow(
      expect.objectContaining({
        code: 'database_too_new',
        message: expect.stringMatching(/version 3.*supports 2.*newer Ledgerlens/),
      }),
    );
    expect(tables(database)).toEqual([]);
  });

  test('says in a sentence that another process holds the lock', () => {
    const path = join(aFolder(), 'l.sqlite');
    const held = aDatabase(path);
    const late = openSqlite(path, { busyTimeoutMs: 0 });
    onTestFinished(() => void late.close());
    held.exec('BEGIN IMMEDIATE');
    expect(() => migrate(late, [FIRST])).toThrow(
      expect.objectContaining({
        code: 'migration_refused',
        message: expect.stringMatching(/0001-first\.sql.*another process holds the write lock/),
      }),
    );
    held.exec('ROLLBACK');
    expect(migrate(late, [FIRST]).pending).toEqual([FIRST.name]);
  });

  test('skips what another process applied after the first look', () => {
    const path = join(aFolder(), 'l.sqlite');
    const slow = aDatabase(path);
    const quick = aDatabase(path);
    const overtaken = new Proxy(slow, {
      get: (target, member) => {
        if (member === 'transaction') migrate(quick, [FIRST, SECOND]);
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    migrate(overtaken, [FIRST, SECOND]);
    expect([version(slow), tables(slow)]).toEqual([2, ['a', 'b']]);
  });

  test('three processes that start at once on an empty folder all find the newest schema', async () => {
    const file = join(aFolder(), 'new', 'l.sqlite');
    const processes = await Promise.all([1, 2, 3].map(() => startMigrating(file)));
    const ended = processes.map(({ end }) => end());
    const version = `ready\nversion ${readMigrations().length}\n`;
    expect(await Promise.all(ended)).toEqual([version, version, version]);
  });
});

const PROCESS = fileURLToPath(new URL('../../test/kit/storage/migrating-process.ts', import.meta.url));

/** A process that waits in front of the database; `end` lets it go on and gives all that it printed. */
async function startMigrating(file: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, file]);
  onTestFinished(() => void child.kill());
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await once(child.stdout, 'data');
  return {
    end: async () => {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      return printed;
    },
  };
}
