import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { migratePostgres, postgresMigrationState, readPostgresMigrations } from './postgres-migrations.ts';
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
