import { realpathSync } from 'node:fs';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { loadSqliteDriver } from '../../../storage/sqlite-driver.ts';
import { storageErrorOf } from '../../../storage/sqlite-errors.ts';
import { StorageBusyError } from '../../../values/storage-errors.ts';
import { type ImportLock, noImportLock } from './import-lock.ts';

/**
 * The lock of the ledger in a database file: an empty SQLite file beside it that stays locked.
 *
 * The operating system lets go of it however a process ends, and it holds between containers that have process numbers
 * of their own. The database itself stays free for readers and other writers.
 */
export function createSqliteImportLock(database: SqliteDatabase): ImportLock {
  if (database.memory) return noImportLock;
  const path = `${realpathSync(database.name)}-import`;
  const Driver = loadSqliteDriver();
  return {
    async take() {
      const file = new Driver(path, { timeout: 0 });
      try {
        // Nothing is ever written, so there is nothing to roll back.
        file.pragma('journal_mode = memory');
        file.exec('begin exclusive');
      } catch (error) {
        file.close();
        const refusal = storageErrorOf(error);
        if (refusal instanceof StorageBusyError) return null;
        throw refusal ?? error;
      }
      return {
        async release() {
          file.close();
        },
      };
    },
  };
}
