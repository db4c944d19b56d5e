import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../test/support/postgres.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import { postgresStorageError } from './postgres-errors.ts';
import { openPostgresPool } from './postgres-pool.ts';

test('whoever comes when too many wait for a connection is refused at once, the others are answered', async () => {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const pool = openPostgresPool(await cluster.createDatabase(), { connections: 1, mostWaiting: 2 });
  const held = await pool.connect();
  const waiting = [pool.query('select 1 as n'), pool.connect()] as const;
  // Both ways to a connection are refused, and neither takes the place of those that wait.
  for (const refused of [pool.query('select 1'), pool.connect()]) {
    const error = await refused.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(postgresStorageError(error)).toBeInstanceOf(StorageBusyError);
  }
  expect(pool.waitingCount).toBe(2);
  held.release();
  expect((await waiting[0]).rows).toEqual([{ n: 1 }]);
  (await waiting[1]).release();
  expect((await pool.query('select 2 as n')).rows).toEqual([{ n: 2 }]);
  await pool.end();
});
