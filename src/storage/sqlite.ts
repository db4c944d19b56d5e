import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { StorageFaultError } from '../values/storage-errors.ts';
import type { DatabaseFile } from './database-file.ts';
import { loadSqliteDriver } from './sqlite-driver.ts';

/** One open connection. Statements are prepared once by the repositories and live as long as it does. */
export type SqliteDatabase = BetterSqlite3.Database;
export type SqliteStatement = BetterSqlite3.Statement<unknown[], unknown>;

export interface SqliteOptions {
  /** A second process may hold the write lock (an import); writers wait this long. Default 10 000. */
  readonly busyTimeoutMs?: number;
  readonly readonly?: boolean;
}

/** Prepared transaction rows have about a thousand bytes: three fit into 4096, seven into this. */
const PAGE_BYTES = 8192;
const PAGE_CACHE_KIB = 32_768;
/** 64 MiB: an import changes the same pages again and again, which one checkpoint then copies once. */
const WAL_PAGES = 8192;

/** Codes of errors about the folder or its file, not about what the file contains. */
const OF_THE_PLACE = /^(?:E(?!NOSPC|DQUOT)[A-Z]+|SQLITE_CANTOPEN|SQLITE_READONLY)/;

/**
 * Opens a SQLite file (or `:memory:`) in WAL mode and creates its folder when missing.
 *
 * `synchronous` is FULL: an accepted verification and an imported unit must outlive a power cut.
 *
 * @throws LedgerlensError `database_unusable` naming the path, `sqlite_driver_missing`.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): SqliteDatabase {
  const Driver = loadSqliteDriver();
  try {
    if (path !== ':memory:' && options.readonly !== true) mkdirSync(dirname(path), { recursive: true });
    const database = new Driver(path, {
      readonly: options.readonly ?? false,
      timeout: options.busyTimeoutMs ?? 10_000,
    });
    return configure(database, options.busyTimeoutMs ?? 10_000);
  } catch (cause) {
    const { code = '', message = String(cause) } = cause as {
      readonly code?: string;
      readonly message?: string;
    };
    const isOfPlace = options.readonly !== true && OF_THE_PLACE.test(code);
    const remedy = isOfPlace
      ? '; name a file in a folder that this user may write (DATABASE_URL, or --to of copy)'
      : '';
    throw new LedgerlensError(
      'database_unusable',
      `The database ${path} cannot be opened: ${message}${remedy}`,
      { cause },
    );
  }
}

function configure(database: SqliteDatabase, patienceMs: number): SqliteDatabase {
  try {
    // Takes effect in a new file alone, so before anything else.
    if (!database.readonly) database.pragma(`page_size = ${PAGE_BYTES}`);
    // Of several that begin a file at once SQLite refuses all but one, without a wait.
    if (!database.readonly) whileBusy(() => database.pragma('journal_mode = WAL'), patienceMs);
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
    database.pragma('foreign_keys = ON');
    // The container's root file system is read-only.
    database.pragma('temp_store = MEMORY');
    database.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
    // A file that is cut off under its map ends the process by a signal.
    database.pragma('mmap_size = 0');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A read waits only while somebody repairs or replaces the log; nobody shall feel it. */
const READ_PATIENCE_MS = 20;

/** Makes a connection refuse every write, and give up instead of waiting for a lock, since requests wait behind it. */
export function readOnly(database: SqliteDatabase): void {
  database.pragma('query_only = ON');
  database.pragma(`busy_timeout = ${READ_PATIENCE_MS}`);
}

const files = new WeakMap<SqliteDatabase, DatabaseFile>();

/** Lets {@link inTransaction} refuse to write when the file is not the one of its path any more. */
export function watchFile(database: SqliteDatabase, file: DatabaseFile): void {
  files.set(database, file);
}

/**
 * Runs `work` in one write transaction: all of it is committed, or nothing when it throws.
 *
 * The write lock is taken at the start, so a read that decides a write sees the newest state.
 *
 * @throws StorageFaultError when the file of the connection is watched and gone.
 */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  const requireFile = () => {
    const reason = files.get(database)?.objection() ?? null;
    if (reason !== null) throw new StorageFaultError(reason);
  };
  requireFile();
  return database
    .transaction(() => {
      const result = work();
      requireFile();
      return result;
    })
    .immediate();
}

/** From one attempt to the next. */
const STEP_MS = 20;

/**
 * Does work again as long as SQLite refuses it at once because another process is in its way.
 *
 * @param patienceMs after which the refusal is thrown
 * @param sleep holds this thread up. Default: it does
 */
export function whileBusy<T>(work: () => T, patienceMs: number, sleep: (ms: number) => void = sleepHere): T {
  for (let left = patienceMs; ; left -= STEP_MS) {
    try {
      return work();
    } catch (error) {
      if (left <= 0 || (error as { readonly code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      sleep(STEP_MS);
    }
  }
}

function sleepHere(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
