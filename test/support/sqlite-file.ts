import { readFileSync } from 'node:fs';
import { openSqlite, type SqliteDatabase } from '../../src/storage/sqlite.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';

/** What tests do to a SQLite file behind its store: look at all of its rows, hold its lock, damage it. */

const SCHEMA = new URL('../../migrations/sqlite/0001-initial.sql', import.meta.url);
/** Those that belong to the ledger, in either database; the edition names the database and not the ledger in it. */
export const ledgerTables: readonly string[] = [
  ...readFileSync(SCHEMA, 'utf8')
    .split(/^-- Area /m)
    .filter((area) => area.startsWith('mirror'))
    .join()
    .matchAll(/^create table (\w+)/gim),
]
  .map(([, table = '']) => table)
  .filter((table) => table !== 'ledger_edition')
  .sort();

/**
 * All tables of the ledger as one ordered text: equal texts are equal ledgers.
 *
 * @param from an open database, or its `DATABASE_URL`
 * @see contracts/streams.md section 11, row Re-run
 */
export function ledgerDump(from: SqliteDatabase | string): string {
  return looking(from, (database) => tableDump(database, ledgerTables));
}

/** All tables of the status page, audit and notices included, as one text: equal texts are equal pages. */
export function statusDump(url: string): string {
  return looking(url, (database) => {
    const tables = database
      .prepare<[], string>(
        "select name from sqlite_schema where type = 'table' and name like 'status\\_%' escape '\\' order by name",
      )
      .pluck()
      .all();
    if (tables.length === 0) throw new Error('the database has no table of the status page');
    return tableDump(database, tables);
  });
}

/** What SQLite finds wrong with a file that a server may have open; empty when it is whole. */
export function faultsOfFile(url: string): readonly string[] {
  return looking(url, (database) =>
    database.prepare<[], string>('pragma integrity_check').pluck().all(),
  ).filter((line) => line !== 'ok');
}

/** How many verifications of a contract are stored, those included whose place another has taken. */
export function storedVerifications(url: string, address: string): number {
  const text = `select count(*) from verified_contract v join contract_deployment d on d.id = v.deployment_id
    where d.address = ?`;
  const key = Buffer.from(address.slice(2), 'hex');
  return looking(url, (database) => database.prepare<[Buffer], number>(text).pluck().get(key)) ?? 0;
}

/** Takes the write lock of a file, as another program may; the result gives it back. */
export function holdWriteLock(path: string): () => void {
  const database = openSqlite(path);
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Whether another process holds the write lock of a file. */
export function isWriteLocked(path: string): boolean {
  const database = openSqlite(path, { busyTimeoutMs: 0 });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'SQLITE_BUSY') throw error;
    return true;
  } finally {
    database.close();
  }
}

/** Moves what the write-ahead log holds into the file, and empties the log. */
export function emptyWriteAheadLog(path: string): void {
  looking(`sqlite:${path}`, (database) => database.pragma('wal_checkpoint(TRUNCATE)'));
}

/** Writes the whole file anew, as an operator may beside the server. */
export function vacuum(path: string): void {
  looking(`sqlite:${path}`, (database) => database.exec('VACUUM'));
}

/** Says that a later build of the product made the file. */
export function setSchemaVersion(path: string, version: number): void {
  looking(`sqlite:${path}`, (database) => database.pragma(`user_version = ${version}`));
}

function looking<T>(from: SqliteDatabase | string, work: (database: SqliteDatabase) => T): T {
  if (typeof from !== 'string') return work(from);
  const { path } = parseDatabaseUrl(from);
  if (path === null) throw new Error('a database in memory is seen by its own server alone');
  const database = openSqlite(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The given tables as one ordered text: equal texts are equal rows, whatever their order on disk. */
function tableDump(database: SqliteDatabase, tables: readonly string[]): string {
  return tables.map((name) => `${name}\n${rowsOf(database, name).join('\n')}`).join('\n\n');
}

function rowsOf(database: SqliteDatabase, name: string): readonly string[] {
  return database
    .prepare<[], Record<string, unknown>>(`select * from "${name}"`)
    .safeIntegers(true)
    .all()
    .map((row) =>
      JSON.stringify(row, (_key, value: unknown) => {
        if (typeof value === 'bigint') return `${value}n`;
        return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
      }),
    )
    .sort();
}
