import {
  isStorageError,
  StorageBusyError,
  type StorageError,
  StorageFaultError,
} from '../values/storage-errors.ts';

export const LOCKED_REASON = 'another process holds the write lock';
export const DISK_FULL_REASON = 'the disk is full';

/** Reasons by the first part of the driver's code; any other code says something about the data or the statement. */
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_FULL: DISK_FULL_REASON,
  SQLITE_IOERR: 'the disk reports an error',
  SQLITE_NOMEM: 'there is no memory left',
  SQLITE_CANTOPEN: 'a file of the database cannot be opened',
  SQLITE_READONLY: 'the database is read-only',
  SQLITE_CORRUPT: 'the database file is damaged',
  SQLITE_NOTADB: 'the file is not a database',
  SQLITE_PROTOCOL: 'locking the database does not work',
};

/**
 * What the storage's state, not the data, made fail: a storage error as it is, or the driver's as one.
 *
 * The one place that reads the driver's codes.
 *
 * @returns null for everything else.
 */
export function storageErrorOf(error: unknown): StorageError | null {
  if (isStorageError(error)) return error;
  const code = driverCodeOf(error);
  if (code === null) return null;
  const [, family = ''] = /^(SQLITE_[A-Z]+)/.exec(code) ?? [];
  if (family === 'SQLITE_BUSY' || family === 'SQLITE_LOCKED') {
    return new StorageBusyError(LOCKED_REASON, { cause: error, isTold: false });
  }
  const reason = FAULTS[family];
  if (reason === undefined) return null;
  const detail = code === family ? reason : `${reason} (${code})`;
  return new StorageFaultError(detail, { cause: error, isTold: false });
}

const DAMAGES: ReadonlySet<string> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);
/** Databases of which a read has met damage, with what the driver said first. */
const damaged = new WeakMap<object, string>();

/** Remembers, until the database is opened anew, that it is damaged. @returns the error. */
export function noteDamage(database: object, error: unknown): unknown {
  const family = /^SQLITE_[A-Z]+/.exec(driverCodeOf(error) ?? '')?.[0] ?? '';
  if (DAMAGES.has(family) && !damaged.has(database)) damaged.set(database, FAULTS[family] ?? family);
  return error;
}

/** Why answers of the database cannot be trusted; null as far as is known. */
export function damageOf(database: object): string | null {
  return damaged.get(database) ?? null;
}

/** Whether it comes from the driver. */
export function isDriverError(error: unknown): boolean {
  return driverCodeOf(error) !== null;
}

function driverCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
}
