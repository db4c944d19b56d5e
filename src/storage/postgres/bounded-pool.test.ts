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

test('when the database has no more connections to give, those that there are serve everybody', async () => {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const url = await cluster.createDatabase();
  const owner = openPostgresPool(url, { connections: 1 });
  await owner.query('create role few login connection limit 3');
  const pool = openPostgresPool(url.replace('ledgerlens@', 'few@'), { connections: 8 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => pool.query<{ readonly n: number }>('select 1 as n from pg_sleep(0.01)')),
  );
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 40 }, () => 1));
  expect(pool.totalCount).toBe(3);
  // None at all is another thing.
  await owner.query('alter role few connection limit 0');
  const late = openPostgresPool(url.replace('ledgerlens@', 'few@'));
  await expect(late.query('select 1')).rejects.toMatchObject({ code: '53300' });
  for (const each of [pool, late, owner]) await each.end();
});
