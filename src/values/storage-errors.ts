import { LedgerlensError } from './ledgerlens-error.ts';

/** When to try again what was refused, seconds. */
const RETRY_SECONDS = 5;

interface StorageErrorOptions {
  readonly cause?: unknown;
  /** Whether the place that noticed it has logged it already, once for all calls that it hits. Default true. */
  readonly isTold?: boolean;
  /** Whether the database may have stored it all the same. Default false. */
  readonly isOutcomeUnknown?: boolean;
}

/** Nothing was stored because somebody else was writing for too long, too much waited already, or the way there was lost. */
export class StorageBusyError extends LedgerlensError {
  /** In words that may be sent to clients. */
  readonly reason: string;
  readonly isTold: boolean;
  readonly retryAfterSeconds = RETRY_SECONDS;

  constructor(reason: string, options: StorageErrorOptions = {}) {
    const outcome =
      options.isOutcomeUnknown === true
        ? 'It may or may not have been stored; check before you retry.'
        : 'Nothing was stored; try again later.';
    super('storage_busy', `The database is busy: ${reason}. ${outcome}`, options);
    this.reason = reason;
    this.isTold = options.isTold ?? true;
  }
}

/** The database cannot be used for a reason outside the data: disk, file or thread. */
export class StorageFaultError extends LedgerlensError {
  /** In words that may be sent to clients. */
  readonly reason: string;
  readonly isTold: boolean;
  readonly retryAfterSeconds = RETRY_SECONDS;

  constructor(reason: string, options: StorageErrorOptions = {}) {
    super('storage_fault', `Database error: ${reason}. Try again later.`, options);
    this.reason = reason;
    this.isTold = options.isTold ?? true;
  }
}

export type StorageError = StorageBusyError | StorageFaultError;

/** Whether a call failed for a reason that says nothing about the data; the same call may succeed later. */
export function isStorageError(error: unknown): error is StorageError {
  return error instanceof StorageBusyError || error instanceof StorageFaultError;
}
