import { StorageFaultError } from '../values/storage-errors.ts';
import { isPostgresError, postgresStorageError } from './postgres/postgres-errors.ts';
import { isDriverError, storageErrorOf } from './sqlite-errors.ts';

const storageError = (error: unknown) => storageErrorOf(error) ?? postgresStorageError(error);

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

type Method = (...args: readonly unknown[]) => unknown;

function translated<Repository extends object>(
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
