import { expect, test } from 'vitest';
import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import { isPostgresError, postgresStorageError } from './postgres-errors.ts';

const coded = (code: string, message = 'from the driver') => Object.assign(new Error(message), { code });

test.each([
  // The server says the same of both.
  [coded('57P03', 'the database system is shutting down'), 'it is starting or stopping'],
  [coded('57P01'), 'it is shutting down'],
  [new Error('timeout exceeded when trying to connect'), 'no connection to it became free in time'],
  [new Error('Connection terminated due to connection timeout'), 'it does not respond'],
  [new Error('timeout expired'), 'it does not respond'],
  [new Error('Connection terminated unexpectedly'), 'the connection to it was lost'],
])('%s may pass: %s', (error, reason) => {
  const found = postgresStorageError(error);
  expect(found).toBeInstanceOf(StorageBusyError);
  expect(found?.reason).toBe(reason);
  expect(isPostgresError(error)).toBe(true);
});

test.each([
  [coded('54000'), 'a value is too large for it (54000)'],
  [coded('53100'), 'the disk is full (53100)'],
])('%s does not pass by itself: %s', (error, reason) => {
  const found = postgresStorageError(error);
  expect(found).toBeInstanceOf(StorageFaultError);
  expect(found?.reason).toBe(reason);
});

test('what says something about the data is no error of the storage', () => {
  expect(postgresStorageError(coded('23505'))).toBeNull();
  expect(isPostgresError(coded('23505'))).toBe(true);
  expect(isPostgresError(coded('EPERM'))).toBe(false);
});
