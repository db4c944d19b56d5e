import { openDatabase } from '../storage/open-database.ts';
import { sqliteSql } from '../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../storage/sqlite.ts';
import { answer } from '../values/work.ts';
import { createSqliteImportLock } from './ingest/schedule/import-lock.sqlite.ts';
import { readLedgerSize } from './ledger/upkeep/ledger-size.sqlite.ts';
import { createStateRebuild } from './ledger/upkeep/state-rebuild.sqlite.ts';
import { createMirrorStore, type MirrorOptions } from './mirror-store.sql.ts';
import type { MirrorStore } from './mirror-store.ts';

/** The ledger in an opened and migrated SQLite database, which stays open. */
export function createSqliteMirrorStore(database: SqliteDatabase, options: MirrorOptions = {}): MirrorStore {
  return createMirrorStore(sqliteSql(database), options, {
    importLock: createSqliteImportLock(database),
    // Writers wait for each other, and the lock is the operating system's.
    beginCommit: () => answer(undefined),
    beginUpkeep: () => answer(undefined),
    readSize: () => readLedgerSize(database),
    beginState: (sql, snapshots) => createStateRebuild(sql, openDatabase(':memory:'), snapshots),
  });
}
