import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../../../test/support/postgres-proxy.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import { waitFor } from '../../values/work.ts';
import { DatabaseClock } from './database-clock.ts';
import { PostgresAnnouncements } from './postgres-announcements.ts';
import { postgresStorageError } from './postgres-errors.ts';
import { migratePostgres, postgresMigrationState } from './postgres-migrations.ts';
import { openPostgresConnection, openPostgresPool } from './postgres-pool.ts';
import { PostgresPulse } from './postgres-pulse.ts';
import { postgresSql } from './postgres-sql.ts';
import { endSilentConnections } from './stalled-connections.ts';

let cluster: PostgresCluster;
let database: string;
beforeAll(async () => {
  cluster = await startPostgres();
  database = await cluster.createMigrated();
});
afterAll(() => cluster?.stop());

/** A pool that is quick to notice, behind a proxy. */
async function reached(
  silence: object = { silentMs: 300, lookMs: 50 },
): Promise<{ readonly pool: pg.Pool; readonly proxy: PostgresProxy }> {
  const proxy = await startPostgresProxy(database);
  const pool = openPostgresPool(proxy.url, { connections: 4, silence });
  onTestFinished(async () => {
    await pool.end();
    await proxy.close();
  });
  return { pool, proxy };
}

/** As many connections as the pool may have, none of them in use. */
async function fill(pool: pg.Pool): Promise<void> {
  await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('select pg_sleep(0.05)')));
}

const storageError = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof StorageBusyError ? error : postgresStorageError(error)),
  );

test('who waits on a connection that has gone silent is told, and those that were idle are not used again', async () => {
  const { pool, proxy } = await reached();
  await fill(pool);
  proxy.hold();
  expect(await storageError(pool.query('select 1'))).toBeInstanceOf(StorageBusyError);
  await expect.poll(() => pool.idleCount).toBe(0);
  for (let count = 0; count < 8; count += 1) {
    expect((await pool.query('select 7 as seven')).rows).toEqual([{ seven: 7 }]);
  }
});

test('a write whose connection goes silent in its middle ends, and its place is free', async () => {
  const { pool, proxy } = await reached();
  const sql = postgresSql(pool);
  const one = sql.prepareValue<[], number>('select 1');
  const writes = Array.from({ length: 4 }, () =>
    sql.write(function* () {
      yield* one.get();
      yield* waitFor(async () => proxy.hold());
      return yield* one.get();
    }),
  );
  for (const error of await Promise.all(writes.map(storageError))) {
    expect(error).toBeInstanceOf(StorageBusyError);
  }
  expect(await sql.write(() => one.get())).toBe(1);
});

test('a statement that takes its time is no silent connection', async () => {
  const { pool } = await reached();
  expect((await pool.query('select 1 as done from pg_sleep(1.5)')).rows).toEqual([{ done: 1 }]);
});

test('nor is a transaction whose next statement comes late', async () => {
  const { pool } = await reached();
  const sql = postgresSql(pool);
  const one = sql.prepareValue<[], number>('select 1');
  const late = sql.write(function* () {
    yield* one.get();
    yield* waitFor(() => pause(1000));
    return yield* one.get();
  });
  expect(await late).toBe(1);
});

test('when nobody can be asked they stay for longer, but not for ever', async () => {
  const { pool, proxy } = await reached({ silentMs: 200, lookMs: 50, longestMs: 1500 });
  await fill(pool);
  proxy.hold();
  proxy.holdNew(true);
  let isTold = false;
  const told = storageError(pool.query('select 1')).finally(() => {
    isTold = true;
  });
  await pause(700);
  expect(isTold).toBe(false);
  expect(await told).toBeInstanceOf(StorageBusyError);
  proxy.holdNew(false);
  await expect.poll(() => storageError(pool.query('select 1'))).toBeNull();
});

test('a pool that gives none to drop does not end the looking', async () => {
  const connect = () => Promise.reject(new Error('no connection'));
  const pool = Object.assign(new EventEmitter(), { connect, idleCount: 1, ending: false });
  onTestFinished(() => void Object.assign(pool, { ending: true }));
  endSilentConnections(pool as unknown as pg.Pool, { connect, silentMs: 10, longestMs: 10, lookMs: 5 });
  const cut: number[] = [];
  for (const id of [1, 2]) {
    const stream = { bytesRead: 0, destroy: () => pool.emit('release', null, client) && cut.push(id) };
    const client = { processID: id, connection: { stream }, _getActiveQuery: () => ({}) };
    pool.emit('acquire', client);
    await expect.poll(() => cut).toContain(id);
  }
});

test('announcements are heard again on another connection', async () => {
  const { proxy } = await reached();
  const announcements = new PostgresAnnouncements(() => openPostgresConnection(proxy.url), 200);
  onTestFinished(() => announcements.close());
  const heard: (string | null)[] = [];
  announcements.on('job-ended', (subject) => heard.push(subject));
  await expect.poll(() => heard).toEqual([null]);
  proxy.hold();
  await expect.poll(() => heard).toEqual([null, null]);
});

test('the pulse of a database that says nothing tells that it does not answer', async () => {
  const { pool, proxy } = await reached();
  const log = { info() {}, warn() {} };
  const pulse = new PostgresPulse({
    pool,
    clock: new DatabaseClock(),
    schemaVersion: 99,
    log,
    everyMs: 50,
    silentMs: 200,
  });
  onTestFinished(() => pulse.close());
  await pause(200);
  expect(pulse.state.writes).toBe('working');
  proxy.hold();
  proxy.holdNew(true);
  await expect.poll(() => pulse.state.writes).toBe('refused');
  proxy.holdNew(false);
  await expect.poll(() => pulse.state.writes).toBe('working');
});

test('a write whose commit is not answered may have been stored', async () => {
  const { pool, proxy } = await reached();
  await pool.query('create table once (id bigint primary key)');
  const sql = postgresSql(pool);
  const insert = sql.prepare<[bigint]>('insert into once values (?)');
  proxy.cutAfter('commit\0');
  const error = await storageError(sql.write(() => insert.run(1n)));
  proxy.cutAfter(null);
  expect(error?.message).toMatch(/may or may not have been stored/);
  expect((await pool.query('select id from once')).rows).toEqual([{ id: '1' }]);
  // What the database refuses it has not stored.
  await expect(sql.write(() => insert.run(1n))).rejects.toMatchObject({ code: '23505' });
});

test('a connection that is lost while it migrates ends the migration alone', async () => {
  const proxy = await startPostgresProxy(await cluster.createDatabase());
  const pool = openPostgresPool(proxy.url);
  onTestFinished(async () => {
    await pool.end();
    await proxy.close();
  });
  proxy.cutAfter('commit\0');
  expect(await storageError(migratePostgres(pool))).toBeInstanceOf(StorageBusyError);
  proxy.cutAfter(null);
  await migratePostgres(pool);
  expect(await postgresMigrationState(pool)).toMatchObject({ pending: [] });
});
