import { describe, expect, test } from 'vitest';
import { StorageBusyError, StorageFaultError } from '../values/storage-errors.ts';
import {
  databaseErrorText,
  databaseReason,
  withReadErrors,
  withStorageErrors,
} from './with-storage-errors.ts';

const driverError = (code: string) => Object.assign(new Error('from the driver'), { code });

const throwing = (error: unknown) => ({
  now(): number {
    throw error;
  },
  async later(): Promise<number> {
    throw error;
  },
});

describe.each([
  ['with storage errors', withStorageErrors],
  ['with read errors', withReadErrors],
])('a repository %s', (_name, wrapped) => {
  test('answers as before, and at once where it did so', async () => {
    const base = 40;
    const repository = wrapped({
      now: (more: number) => base + more,
      later: async (more: number) => base + more,
      limit: 7,
    });
    expect([repository.now(2), repository.limit]).toEqual([42, 7]);
    expect(await repository.later(2)).toBe(42);
  });

  test.each([
    ['SQLITE_BUSY', StorageBusyError, 'another process holds the write lock'],
    ['SQLITE_LOCKED_SHAREDCACHE', StorageBusyError, 'another process holds the write lock'],
    ['SQLITE_FULL', StorageFaultError, 'the disk is full'],
    ['SQLITE_IOERR_WRITE', StorageFaultError, 'the disk reports an error (SQLITE_IOERR_WRITE)'],
    ['SQLITE_CORRUPT', StorageFaultError, 'the database file is damaged'],
  ])('tells %s in words', async (code, kind, reason) => {
    const repository = wrapped(throwing(driverError(code)));
    expect(() => repository.now()).toThrow(expect.objectContaining({ reason }));
    expect(() => repository.now()).toThrow(kind);
    await expect(repository.later()).rejects.toThrow(expect.objectContaining({ reason }));
  });

  test('leaves what is not the driver’s as it is', async () => {
    for (const error of [new StorageBusyError('too much waits'), new TypeError('a mistake')]) {
      const repository = wrapped(throwing(error));
      expect(() => repository.now()).toThrow(error);
      await expect(repository.later()).rejects.toBe(error);
    }
  });
});

test('a refused write says something about the data and stays what it is; a refused read does not', async () => {
  const refusal = driverError('SQLITE_CONSTRAINT_CHECK');
  expect(() => withStorageErrors(throwing(refusal)).now()).toThrow(refusal);
  await expect(withReadErrors(throwing(refusal)).later()).rejects.toMatchObject({
    code: 'storage_fault',
    cause: refusal,
  });
});

test.each([
  [driverError('23514'), 'The database rejected this: from the driver (23514)', 'from the driver (23514)'],
  [
    driverError('SQLITE_CONSTRAINT'),
    'The database rejected this: from the driver (SQLITE_CONSTRAINT)',
    'from the driver (SQLITE_CONSTRAINT)',
  ],
  [
    driverError('54000'),
    'Database error: a value is too large for it (54000). Try again later.',
    'a value is too large for it (54000)',
  ],
  [
    new Error('Connection terminated unexpectedly'),
    'The database is busy: the connection to it was lost. Nothing was stored; try again later.',
    'the connection to it was lost',
  ],
  // Of a database when it comes from one; else of whatever a command talks to.
  [driverError('EPIPE'), null, 'the connection to it was lost'],
  [driverError('EPERM'), null, null],
  [new TypeError('a mistake'), null, null],
])('%s is told as a sentence only when it surely is of a database', (error, text, reason) => {
  expect(databaseErrorText(error)).toBe(text);
  expect(databaseReason(error)).toBe(reason);
});
