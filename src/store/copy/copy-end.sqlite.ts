import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrate, migrationState } from '../../storage/migrations.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { openSqlite, type SqliteDatabase } from '../../storage/sqlite.ts';
import { loadSqliteDriver } from '../../storage/sqlite-driver.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { answer } from '../../values/work.ts';
import type { DatabaseLocation } from '../database-url.ts';
import { createCopyEnd } from './copy-end.sql.ts';
import type { CopyEnd, CopyRole } from './copy-end.ts';
import { refuseOtherSchema } from './refuse-other-schema.ts';

/** Opens a file for a copy, which nobody else has open or can open meanwhile. */
export async function openSqliteEnd({ path, url }: DatabaseLocation, role: CopyRole): Promise<CopyEnd> {
  if (path === null || (role === 'from' && !existsSync(path))) {
    throw new LedgerlensError('usage', `There is nothing to copy at ${url}`);
  }
  if (role === 'to') makeFile(path);
  const database = openAlone(path, url);
  try {
    if (role === 'to') migrate(database);
    else refuseOtherSchema(url, migrationState(database));
    return endOf(database, url);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** With the settings of a new database, which are made before anything is in it. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) openSqlite(path).close();
}

/** In this mode the first read takes a lock that is refused while anybody has the file open. */
function openAlone(path: string, url: string): SqliteDatabase {
  const Driver = loadSqliteDriver();
  const database = new Driver(path, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('begin exclusive; commit');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = MEMORY');
    return database;
  } catch (cause) {
    database.close();
    if ((cause as { readonly code?: string }).code?.startsWith('SQLITE_BUSY') !== true) throw cause;
    throw new LedgerlensError('copy_refused', `${url} is in use: stop the server that has it open`, {
      cause,
    });
  }
}

function endOf(database: SqliteDatabase, url: string): CopyEnd {
  const exists = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  const issued = database.prepare('select name, seq from sqlite_sequence').safeIntegers(true);
  const isIssued = database.prepare("select sql like '%autoincrement%' from sqlite_master where name = ?");
  const raise = database.prepare('update sqlite_sequence set seq = max(seq, @id) where name = @name');
  const begin = database.prepare('insert into sqlite_sequence (name, seq) values (@name, @id)');
  return createCopyEnd({
    url,
    sql: sqliteSql(database),
    hasTable: (name) => answer(exists.get(name) !== undefined),
    issuedIds: async () =>
      new Map(
        (issued.all() as { readonly name: string; readonly seq: bigint }[]).map(({ name, seq }) => [
          name,
          seq,
        ]),
      ),
    // Rows that were stored have raised it already.
    async continueIds(ids) {
      for (const [name, id] of ids) {
        if (isIssued.pluck().get(name) !== 1) continue;
        if (raise.run({ name, id }).changes === 0) begin.run({ name, id });
      }
    },
    close: async () => void database.close(),
  });
}
