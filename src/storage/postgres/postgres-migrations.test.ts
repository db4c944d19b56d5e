import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import {
  migratePostgres,
  postgresMigrationState,
  readPostgresMigrations,
  servesBuild,
} from './postgres-migrations.ts';
import { openPostgresPool } from './postgres-pool.ts';

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster?.stop());
beforeEach(async () => {
  pool = openPostgresPool(await cluster.createDatabase());
  return () => pool.end();
});

const expanding = { version: 2, name: '0002-more.sql', sql: '-- serves: 1\ncreate table more (a bigint)' };
const contracting = { version: 3, name: '0003-less.sql', sql: 'drop table more' };
const first = { version: 1, name: '0001-first.sql', sql: 'create table first (a bigint)' };

test('are applied once, also by several at the same time', async () => {
  const newest = readPostgresMigrations().length;
  const states = await Promise.all([migratePostgres(pool), migratePostgres(pool), migratePostgres(pool)]);
  expect(states.map(({ to }) => to)).toEqual([newest, newest, newest]);
  expect(await migratePostgres(pool)).toEqual({ from: newest, to: newest, pending: [] });
});

test('a build of before opens what a newer one has only added to', async () => {
  await migratePostgres(pool, [first, expanding]);
  expect(await migratePostgres(pool, [first])).toMatchObject({ from: 2, to: 1, pending: [] });
  await migratePostgres(pool, [first, expanding, contracting]);
  await expect(migratePostgres(pool, [first, expanding])).rejects.toMatchObject({ code: 'database_too_new' });
});

test('a migration that fails leaves nothing', async () => {
  const broken = { version: 2, name: '0002-broken.sql', sql: 'create table half (a bigint); select nothing' };
  await expect(migratePostgres(pool, [first, broken])).rejects.toThrow('nothing');
  expect((await pool.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }]);
  expect(await postgresMigrationState(pool, [first, broken])).toMatchObject({ from: 1, to: 2 });
});

test('nobody is served again whom an earlier migration has left behind', async () => {
  const careless = {
    version: 4,
    name: '0004-careless.sql',
    sql: '-- serves: 1\ncreate table later (a bigint)',
  };
  await migratePostgres(pool, [first, expanding, contracting, careless]);
  expect(await servesBuild(pool, 3)).toBe(true);
  await expect(migratePostgres(pool, [first, expanding])).rejects.toMatchObject({ code: 'database_too_new' });
});

test('a migration that waits for a table lets others use it in between', async () => {
  await migratePostgres(pool, [first]);
  const long = await pool.connect();
  await long.query('begin; select a from first');
  const changing = {
    version: 2,
    name: '0002-wider.sql',
    sql: '-- serves: 1\nalter table first add b bigint',
  };
  const migrated = migratePostgres(pool, [first, changing]);
  const blocked = `select 1 from pg_stat_activity where query like '%add b bigint%' and wait_event_type = 'Lock'
    and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await pool.query(blocked)).rowCount).toBe(1);
  // Waits behind the migration, which gives way before this connection does.
  expect((await pool.query('select count(*) from first')).rowCount).toBe(1);
  await long.query('commit');
  long.release();
  expect(await migrated).toMatchObject({ from: 1, to: 2 });
});

test('a migration that others wait for while it waits for them is tried again', async () => {
  const second = { version: 2, name: '0002-second.sql', sql: 'create table second (a bigint)' };
  await migratePostgres(pool, [first, second]);
  const other = await pool.connect();
  // So that it is not this one that gives up.
  await other.query("set deadlock_timeout = '1min'; begin; select a from second");
  const sql = 'alter table first add b bigint; alter table second add b bigint';
  const migrated = migratePostgres(pool, [first, second, { version: 3, name: '0003-both.sql', sql }]);
  await expect.poll(migrationWaits).toBe(true);
  await other.query('select a from first');
  await other.query('commit');
  other.release(true);
  expect(await migrated).toMatchObject({ from: 2, to: 3 });
});

async function migrationWaits(): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from pg_stat_activity where query like '%add b bigint%' and wait_event_type = 'Lock'
       and pid <> pg_backend_pid()`,
  );
  return rowCount === 1;
}
