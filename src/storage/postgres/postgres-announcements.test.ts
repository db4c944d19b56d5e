import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { PostgresAnnouncements } from './postgres-announcements.ts';
import { openPostgresConnection, openPostgresPool } from './postgres-pool.ts';
import { postgresSql } from './postgres-sql.ts';

let cluster: PostgresCluster;
let pool: pg.Pool;
let url: string;
beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createDatabase();
  pool = openPostgresPool(url);
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});

test('what a write announces is heard after its commit, by topic', async () => {
  const { announcements, heard } = await listening();
  const sql = postgresSql(pool);
  await sql.write(() => sql.announce('ledger'));
  await expect(
    sql.write(function* () {
      yield* sql.announce('job-ended', 'never');
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  await sql.write(() => sql.announce('job-ended', '7'));
  await expect.poll(() => heard).toEqual([null, '7']);
  await announcements.close();
});

test('a lost connection is opened again, and listeners look anew', async () => {
  const { heard } = await listening();
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' or query = 'select 1'",
  );
  await expect.poll(() => heard).toEqual([null, null]);
  const sql = postgresSql(pool);
  await sql.write(() => sql.announce('job-ended', '8'));
  await expect.poll(() => heard).toEqual([null, null, '8']);
});

async function listening() {
  const announcements = new PostgresAnnouncements(() => openPostgresConnection(url));
  onTestFinished(() => announcements.close());
  const heard: (string | null)[] = [];
  announcements.on('job-ended', (subject) => heard.push(subject));
  await expect.poll(() => heard).toEqual([null]);
  return { announcements, heard };
}
