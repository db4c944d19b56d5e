import { StorageBusyError, type StorageError, StorageFaultError } from '../values/storage-errors.ts';
import { isPostgresError, postgresStorageError } from './postgres/postgres-errors.ts';
import { isDriverError, storageErrorOf } from './sqlite-errors.ts';

/** Errors of storage in this process, by what a caller can do about them: try again, or nothing. */
const counts = { busy: 0, fault: 0 };
/** A repository may be made of others that translate as well. */
const counted = new WeakSet<StorageError>();

/** How many there were so far. */
export function storageErrorCounts(): Readonly<typeof counts> {
  return counts;
}

function storageError(error: unknown): StorageError | null {
  const found = storageErrorOf(error) ?? postgresStorageError(error);
  if (found === null || counted.has(found)) return found;
  counted.add(found);
  counts[found instanceof StorageBusyError ? 'busy' : 'fault'] += 1;
  return found;
}

/** Lets a repository throw storage errors in the place of the driver's, so that nobody outside knows a driver. */
export function withStorageErrors<Repository extends object>(repository: Repository): Repository {
  return translated(repository, (error) => storageError(error) ?? error);
}

/** The same for a repository that only reads: whatever the driver refuses there, the data are not to blame. */
export function withReadErrors<Repository extends object>(repository: Repository): Repository {
  return translated(
    repository,
    (error) =>
      storageError(error) ??
      (isDriverError(error) || isPostgresError(error)
        ? new StorageFaultError('it cannot be read', { cause: error, isTold: false })
        : error),
  );
}

/** Why a database failed or refused what it was given, in words; null for what is no error of a database. */
export function databaseReason(error: unknown): string | null {
  return storageError(error)?.reason ?? refusalOf(error);
}

/** The same as a sentence, only for what surely is a database's: others fail to connect to something as well. */
export function databaseErrorText(error: unknown): string | null {
  const refusal = refusalOf(error);
  return refusal === null ? null : (storageError(error)?.message ?? `The database rejected this: ${refusal}`);
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || !(isDriverError(error) || isPostgresError(error))) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}

type Method = (...args: readonly unknown[]) => unknown;

/** Lets what the methods of an object throw be something else. */
export function translated<Repository extends object>(
  repository: Repository,
  translate: (error: unknown) => unknown,
): Repository {
  const rethrow = (error: unknown): never => {
    throw translate(error);
  };
  // Not an async function: what a local database answers at once stays no promise.
  const guarded =
    (method: Method): Method =>
    (...args) => {
      try {
        const result = method.apply(repository, args as unknown[]);
        return result instanceof Promise ? result.catch(rethrow) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
  const members = Object.entries(repository).map(([name, member]) => [
    name,
    typeof member === 'function' ? guarded(member as Method) : member,
  ]);
  return Object.fromEntries(members) as Repository;
}
