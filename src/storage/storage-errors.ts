import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** When to try again what was refused, seconds. */
const RETRY_SECONDS = 5;

/** Nothing was stored because somebody else was writing for too long, or too much waited already. */
export class StorageBusyError extends LedgerlensError {
  /** In words that may be sent to clients. */
  readonly reason: string;
  readonly retryAfterSeconds = RETRY_SECONDS;

  constructor(reason: string, options: { readonly cause?: unknown } = {}) {
    super('storage_busy', `The database is busy: ${reason}. Nothing was stored; try again later.`, options);
    this.reason = reason;
  }
}

/** The database cannot be used for a reason outside the data: disk, file or thread. */
export class StorageFaultError extends LedgerlensError {
  /** In words that may be sent to clients. */
  readonly reason: string;
  readonly retryAfterSeconds = RETRY_SECONDS;

  constructor(reason: string, options: { readonly cause?: unknown } = {}) {
    super('storage_fault', `The database does not work: ${reason}. Try again later.`, options);
    this.reason = reason;
  }
}

export type StorageError = StorageBusyError | StorageFaultError;

export const LOCKED_REASON = 'another process holds the write lock';
export const DISK_FULL_REASON = 'the disk is full';

/** Reasons by the first part of the driver's code; any other code says something about the data or the statement. */
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_FULL: DISK_FULL_REASON,
  SQLITE_IOERR: 'the disk reports a fault',
  SQLITE_NOMEM: 'there is no memory left',
  SQLITE_CANTOPEN: 'a file of the database cannot be opened',
  SQLITE_READONLY: 'the database is read-only',
  SQLITE_CORRUPT: 'the database file is damaged',
  SQLITE_NOTADB: 'the file is not a database',
  SQLITE_PROTOCOL: 'the locks of the database do not work',
};

/**
 * What the storage's state, not the data, made fail: an error of this module, or the driver's as one.
 *
 * @returns null for everything else.
 */
export function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageBusyError || error instanceof StorageFaultError) return error;
  const code = driverCodeOf(error);
  if (code === null) return null;
  const [, family = ''] = /^(SQLITE_[A-Z]+)/.exec(code) ?? [];
  if (family === 'SQLITE_BUSY' || family === 'SQLITE_LOCKED') {
    return new StorageBusyError(LOCKED_REASON, { cause: error });
  }
  const reason = FAULTS[family];
  if (reason === undefined) return null;
  const detail = code === family ? reason : `${reason} (${code})`;
  return new StorageFaultError(detail, { cause: error });
}

/** Whether a write failed for a reason that says nothing about the data; the same write may succeed later. */
export function isStorageError(error: unknown): boolean {
  return storageErrorOf(error) !== null;
}

function driverCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
}
