import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFolder } from '../../../../test/kit/storage/a-folder.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { createSqliteImportLock } from './import-lock.sqlite.ts';

test('the lock of a file is held once, also by another path to the same file, until it is released', async () => {
  const folder = aFolder();
  const database = openDatabase(join(folder, 'l.sqlite'));
  symlinkSync(join(folder, 'l.sqlite'), join(folder, 'other.sqlite'));
  const other = openDatabase(join(folder, 'other.sqlite'));
  const [lock, second] = [createSqliteImportLock(database), createSqliteImportLock(other)];
  const lease = await lock.take();
  expect(lease).not.toBeNull();
  expect([await lock.take(), await second.take()]).toEqual([null, null]);
  await lease?.release();
  const next = await second.take();
  expect(next).not.toBeNull();
  await next?.release();
  other.close();
  database.close();
});
