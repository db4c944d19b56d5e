import { StorageBusyError, type StorageError, StorageFaultError } from '../../values/storage-errors.ts';
import { tlsFaultOf } from './postgres-tls.ts';

/** Reasons by code or class of codes (two characters): the same call may succeed a little later. */
const BUSY: Readonly<Record<string, string>> = {
  '08': 'the connection to it was lost',
  '25P03': 'the write was blocked for too long',
  '40': 'other writes conflicted with it',
  '53300': 'it has too many connections',
  '55P03': 'another process holds the lock',
  '57014': 'the statement took too long',
  '57P01': 'it is shutting down',
  '57P02': 'it is shutting down',
  '57P03': 'it is starting or stopping',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EAGAIN: 'too many requests are waiting for a connection to it',
  ECONNRESET: 'the connection to it was lost',
  EPIPE: 'the connection to it was lost',
  ETIMEDOUT: 'it does not respond',
};

/** Neither the data nor the load are to blame. */
const FAULTS: Readonly<Record<string, string>> = {
  '28': 'it rejects the user or the password',
  '3D000': 'the database does not exist',
  '53100': 'the disk is full',
  '53200': 'there is no memory left',
  '54': 'a value is too large for it',
  '58': 'the disk reports an error',
  XX: 'it reports an internal error',
  '25006': 'it is read-only',
  '42501': 'the user lacks the permission',
  // Statements are made for the schema; a newer build may just have changed it.
  '42703': 'its schema belongs to another version',
  '42P01': 'its schema belongs to another version',
  ENOTFOUND: 'its host name is unknown',
};

/** Errors of the driver that have no code, by what they begin with; the first that fits counts. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  // All connections of the pool are in use, or the host does not answer to a new one.
  [/^timeout exceeded when trying to connect/, 'no connection to it became free in time'],
  [
    /^(timeout expired|Query read timeout|Connection terminated due to connection timeout)/,
    'it does not respond',
  ],
  [
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/,
    'the connection to it was lost',
  ],
];

/**
 * What the state of the database or the way to it, not the data, made fail.
 *
 * The one place that reads PostgreSQL's codes.
 *
 * @returns null for everything else.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function postgresStorageError(error: unknown): StorageError | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error) ?? '';
  const options = { cause: error, isTold: false };
  const unprotected = tlsFaultOf(error);
  if (unprotected !== null) return new StorageFaultError(unprotected, options);
  const busy =
    BUSY[code] ??
    BUSY[code.slice(0, 2)] ??
    (isUnreachable(error) ? 'it does not accept connections' : undefined) ??
    reasonOfMessage(error);
  if (busy !== undefined) return new StorageBusyError(busy, options);
  const fault = FAULTS[code] ?? FAULTS[code.slice(0, 2)];
  return fault === undefined ? null : new StorageFaultError(`${fault} (${code})`, options);
}

function reasonOfMessage({ message }: Error): string | undefined {
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}

/** Whichever code the network has for it; one of several addresses stands for all. */
function isUnreachable(error: Error): boolean {
  const [first = error] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  return (first as NodeJS.ErrnoException).syscall === 'connect';
}

/** Whether the database has said that it did not do what it was asked, rather than that it is going away. */
export function isRefusal(error: unknown): boolean {
  return isAnswer(error) && !/^(08|57P)/.test(codeOf(error) ?? '');
}

/** Whether the database itself says so: its codes have five characters, of which the first is no E as in Node's. */
export function isAnswer(error: unknown): boolean {
  return /^(?!E)[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
}

/** Whether it comes from PostgreSQL, or from the driver on the way there. */
export function isPostgresError(error: unknown): boolean {
  return isAnswer(error) || (error instanceof Error && reasonOfMessage(error) !== undefined);
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
