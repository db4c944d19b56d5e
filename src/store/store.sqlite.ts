import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import type { MirrorOptions } from '../mirror/mirror-store.sql.ts';
import { createSqliteMirrorStore } from '../mirror/mirror-store.sqlite.ts';
import { createStatusStore, type StatusWrites, statusWrites } from '../status/status-store.sql.ts';
import { backUpDatabase } from '../storage/backup.sqlite.ts';
import { DatabaseFile, type FileIdentity, fileIdentity } from '../storage/database-file.ts';
import { createDatabaseHealth } from '../storage/database-health.sql.ts';
import { type HealthWrites, healthWrites } from '../storage/health-writes.sql.ts';
import { takeSnapshot } from '../storage/memory-snapshot.ts';
import { migrate, migrationState } from '../storage/migrations.ts';
import { openDatabase } from '../storage/open-database.ts';
import { sqliteSql } from '../storage/sql/sqlite-sql.ts';
import { openSqlite, readOnly, type SqliteDatabase, watchFile } from '../storage/sqlite.ts';
import { damageOf } from '../storage/sqlite-errors.ts';
import { storageErrorCounts } from '../storage/with-storage-errors.ts';
import { WORKING_WRITES } from '../storage/write-state.ts';
import { createInlineWriter } from '../storage/writer/inline-writer.ts';
import type { WriterSetup } from '../storage/writer/writer-messages.ts';
import { type StartedWriter, WriterThread, type WriterThreadParts } from '../storage/writer/writer-thread.ts';
import { startThread } from '../threads/start-thread.ts';
import { NO_ANNOUNCEMENTS } from '../values/announcements.ts';
import { systemClock } from '../values/clock.ts';
import { once } from '../values/once.ts';
import { StorageFaultError } from '../values/storage-errors.ts';
import { type JobWrites, jobWrites } from '../verify/jobs/queue/job-writes.sql.ts';
import { createVerifyStore } from '../verify/verify-store.sql.ts';
import { openSqliteEnd } from './copy/copy-end.sqlite.ts';
import { COPY_PROGRESS, incompleteCopy } from './copy/incomplete-copy.ts';
import type { DatabaseLocation } from './database-url.ts';
import { logMigration } from './log-migration.ts';
import type { Backend } from './open-store.ts';
import type { Examination, Store, StoreConfig } from './store.ts';

export { databaseErrorText } from '../storage/with-storage-errors.ts';
export { copiedTables } from './copy/copied-tables.sqlite.ts';

/** SQLite in a file or in memory. */
export const sqliteBackend: Backend = {
  async open(config, { isServing = false, log }) {
    const { path } = config.database;
    // One in memory is always new.
    const report = path === null ? undefined : logMigration(log);
    const database = openDatabase(pathOf(config.database), report);
    let thread: WriterThread | null = null;
    try {
      refuseIncompleteCopy(database, config.database.url);
      if (isServing && path !== null) {
        readOnly(database);
        thread = startWriterThread(path, log);
      }
      return createSqliteStore(database, config, thread);
    } catch (error) {
      await thread?.close();
      database.close();
      throw error;
    }
  },
  async openShared({ config, identity }) {
    const path = pathOf(config.database);
    const file = new DatabaseFile(path, identity as FileIdentity | null);
    const gone = file.objection();
    // To open a path without a file would make an empty database.
    if (gone !== null) throw new StorageFaultError(gone);
    const database = openDatabase(path);
    watchFile(database, file);
    return createSqliteStore(database, config);
  },
  async migrate(location) {
    const database = openSqlite(pathOf(location));
    try {
      return migrate(database);
    } finally {
      database.close();
    }
  },
  blockingMigrations(location) {
    // Those of a new file take no time.
    if (location.path === null || !existsSync(location.path)) return [];
    const database = openSqlite(location.path, { readonly: true });
    try {
      return migrationState(database).pending;
    } finally {
      database.close();
    }
  },
  async backUp(location, file) {
    const database = openSqlite(pathOf(location), { readonly: true });
    try {
      await backUpDatabase(database, file);
    } finally {
      database.close();
    }
  },
  openEnd: openSqliteEnd,
  missing(location) {
    const path = pathOf(location);
    return existsSync(path) ? null : `${path} does not exist`;
  },
  async examine(location, look, home) {
    const database = openSqlite(pathOf(location), { readonly: true });
    try {
      refuseIncompleteCopy(database, location.url);
      return await look(examination(database, home));
    } finally {
      database.close();
    }
  },
};

/**
 * A store on an opened and migrated database, which it closes.
 *
 * @param thread does the writes of all areas. Default: they are done on the database, in this thread.
 */
function createSqliteStore(
  database: SqliteDatabase,
  config: StoreConfig,
  thread: WriterThread | null = null,
): Store {
  const { folder, path } = config.database;
  const sql = sqliteSql(database);
  const verify = once(() =>
    createVerifyStore(
      sql,
      thread?.writerOf<JobWrites>('verify') ?? createInlineWriter(database, jobWrites(sql)),
    ),
  );
  const status = once(() =>
    createStatusStore(
      sql,
      thread?.writerOf<StatusWrites>('status') ?? createInlineWriter(database, statusWrites(sql)),
    ),
  );
  const mirror = once(() => createSqliteMirrorStore(database, config.mirror));
  const health = once(() =>
    createDatabaseHealth(
      sql,
      thread?.writerOf<HealthWrites>('health') ?? createInlineWriter(database, healthWrites(sql)),
    ),
  );
  return {
    // A command needs one of them: the statements of the others are not prepared.
    get verify() {
      return verify();
    },
    get status() {
      return status();
    },
    get mirror() {
      return mirror();
    },
    announcements: NO_ANNOUNCEMENTS,
    clock: systemClock,
    snapshot: path === null ? () => takeSnapshot(database) : null,
    maintenance: {
      get health() {
        return health();
      },
      writes: () => thread?.state ?? WORKING_WRITES,
      damage: () => damageOf(database),
      async freeShare() {
        if (folder === null) return null;
        const { bavail, blocks } = await statfs(folder);
        return blocks === 0 ? null : bavail / blocks;
      },
      async size() {
        if (!database.open) return null;
        const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
        const pageBytes = pragma('page_size');
        return {
          bytes: pragma('page_count') * pageBytes,
          freeBytes: pragma('freelist_count') * pageBytes,
          logBytes: path === null ? 0 : await sizeOfFile(`${path}-wal`),
        };
      },
      errors: storageErrorCounts,
      connections: () => null,
      ownClock: () => null,
      importLease: async () => null,
      shared: path === null ? null : { config: plain(config), identity: fileIdentity(path) },
    },
    async close() {
      await thread?.close();
      if (database.open) database.close();
    },
  };
}

/** 0 for none. */
async function sizeOfFile(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function examination(database: SqliteDatabase, home: MirrorOptions = {}): Examination {
  const schema = migrationState(database);
  return {
    integrity: (isWhole) => integrityOf(database, isWhole),
    schema,
    mirror: schema.from === schema.to ? createSqliteMirrorStore(database, home) : null,
  };
}

function integrityOf(database: SqliteDatabase, isWhole: boolean): string {
  const found = database.pragma(isWhole ? 'integrity_check' : 'quick_check', { simple: true }) as string;
  if (found !== 'ok' || !isWhole) return found;
  const [lost, ...more] = database.pragma('foreign_key_check') as { table: string; parent: string }[];
  return lost === undefined
    ? 'ok'
    : `${more.length + 1} rows refer to missing ones, the first of ${lost.table} to ${lost.parent}`;
}

/** What was configured besides need not be plain data. */
function plain({ database, mirror }: StoreConfig): StoreConfig {
  const { balanceSnapshots = 'changed', dialect, realm, shard, transactionBytes } = mirror;
  return { database, mirror: { balanceSnapshots, dialect, realm, shard, transactionBytes } };
}

function pathOf({ path }: DatabaseLocation): string {
  return path ?? ':memory:';
}

/** @throws LedgerlensError `incomplete_copy` */
function refuseIncompleteCopy(database: SqliteDatabase, url: string): void {
  const find = database.prepare('select 1 from sqlite_master where name = ?');
  if (find.get(COPY_PROGRESS) !== undefined) throw incompleteCopy(url);
}

/** Sources of 30 MB and what was compiled of them, with room; otherwise it needs a tenth. */
const HEAP_MIB = 384;

/**
 * Starts the thread that writes to a database file.
 *
 * @param path of the file as this process has just opened it.
 */
export function startWriterThread(path: string, log: WriterThreadParts['log']): WriterThread {
  const setup: WriterSetup = { path, identity: fileIdentity(path) };
  return new WriterThread({ start: () => startWorker(setup), log });
}

function startWorker(setup: WriterSetup): StartedWriter {
  return startThread('store/writer-worker.sqlite', {
    data: setup,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 4 },
  });
}
