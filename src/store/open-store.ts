import type { CopyEnd, CopyRole } from './copy/copy-end.ts';
import { type CopyProgress, type CopyReport, copyTables } from './copy/copy-tables.ts';
import type { DatabaseLocation } from './database-url.ts';
import { copiedTables, databaseErrorText, sqliteBackend } from './store.sqlite.ts';
import type { Examination, OpenOptions, SchemaState, SharedStore, Store, StoreConfig } from './store.ts';

export { databaseErrorText };

/** What a database has to offer to keep a store. */
export interface Backend {
  /** Opens it, made and brought up to date when that is needed. */
  open(config: StoreConfig, options: OpenOptions): Promise<Store>;
  /** Opens what another thread of the process has open. */
  openShared(shared: SharedStore): Promise<Store>;
  /** Makes it or brings its schema up to date. */
  migrate(database: DatabaseLocation): Promise<SchemaState>;
  /** Names of the migrations that hold up this thread when the store is opened, until the last one ends. */
  blockingMigrations(database: DatabaseLocation): readonly string[];
  /** Writes one moment of it into a new file, while others read and write. @throws LedgerlensError when that exists. */
  backUp(database: DatabaseLocation, file: string): Promise<void>;
  /** Why there is nothing to open yet, in words; null when there is. */
  missing(database: DatabaseLocation): string | null;
  /** Opens it as one end of a copy. */
  openEnd(database: DatabaseLocation, role: CopyRole): Promise<CopyEnd>;
  /**
   * Looks at one that is there without changing anything; `look` gets what was found while it is open.
   *
   * @param home of the network, where its system files are. Default shard 0 and realm 0.
   * @throws LedgerlensError when it cannot be opened, or is an incomplete copy.
   */
  examine<T>(
    database: DatabaseLocation,
    look: (found: Examination) => Promise<T>,
    home?: Pick<StoreConfig['mirror'], 'shard' | 'realm'>,
  ): Promise<T>;
}

/** Read when it is needed: who has a file needs no driver of PostgreSQL. */
const postgres = async () => (await import('./store.postgres.ts')).postgresBackend;
const lazyPostgresBackend: Backend = {
  open: async (...args) => (await postgres()).open(...args),
  openShared: async (shared) => (await postgres()).openShared(shared),
  migrate: async (database) => (await postgres()).migrate(database),
  backUp: async (...args) => (await postgres()).backUp(...args),
  blockingMigrations: () => [],
  missing: () => null,
  openEnd: async (...args) => (await postgres()).openEnd(...args),
  examine: async (...args) => (await postgres()).examine(...args),
};

const BACKENDS: Readonly<Record<DatabaseLocation['kind'], Backend>> = {
  sqlite: sqliteBackend,
  postgres: lazyPostgresBackend,
};

/** The one choice of a backend. */
export function backendOf({ kind }: DatabaseLocation): Backend {
  return BACKENDS[kind];
}

/**
 * Opens the configured database; its schema is brought up to date.
 *
 * @throws LedgerlensError when it cannot be opened or migrated.
 * @see docs/adr/0005-two-storage-engines.md
 */
export function openStore(config: StoreConfig, options: OpenOptions): Promise<Store> {
  return backendOf(config.database).open(config, options);
}

/**
 * Opens a store of this process in another thread.
 *
 * @throws StorageFaultError when its database is not there any more.
 */
export function openSharedStore(shared: SharedStore): Promise<Store> {
  return backendOf(shared.config.database).openShared(shared);
}

/**
 * Copies everything that one database keeps into another, which has to be new or a copy that was interrupted.
 *
 * @throws LedgerlensError `copy_refused` when one of them is in use, or the target holds something else.
 */
export async function copyStore(
  source: DatabaseLocation,
  target: DatabaseLocation,
  progress: CopyProgress,
): Promise<CopyReport> {
  const from = await backendOf(source).openEnd(source, 'from');
  try {
    const to = await backendOf(target).openEnd(target, 'to');
    try {
      return await copyTables({ from, to, tables: copiedTables(), progress });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
