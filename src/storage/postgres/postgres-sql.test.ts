import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import { waitFor } from '../../values/work.ts';
import { postgresStorageError } from './postgres-errors.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { postgresSql } from './postgres-sql.ts';

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = openPostgresPool(await cluster.createDatabase());
  await pool.query(
    'create table t (id bigint primary key, text text collate "C", bytes bytea, flag boolean)',
  );
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});

test('int64, texts with every character and bytes come back as they went', async () => {
  const sql = postgresSql(pool);
  const insert = sql.prepare('insert into t (id, text, bytes, flag) values (?, ?, ?, true)');
  const text = 'a\0b\ue0fe"?\u{1f600}';
  await sql.write(() => insert.run(2n ** 63n - 1n, text, Buffer.of(0, 255)));
  const read = sql.prepareExact("select id, text, bytes, flag, '?' as mark from t where text = ?");
  expect(await sql.read(() => read.get(text))).toEqual({
    id: 2n ** 63n - 1n,
    text,
    bytes: Buffer.of(0, 255),
    flag: 1n,
    mark: '?',
  });
});

test.each([
  ['has no socket while it is restarted', 'postgres://me@/l?host=/no-such-folder'],
  ['has nobody at its port', 'postgres://me@127.0.0.1:1/l'],
  ['has nobody at the port of any address', 'postgres://me@localhost:1/l'],
])('a database that %s is busy', async (_, url) => {
  const away = openPostgresPool(url);
  const error = await away.query('select 1').catch((caught: unknown) => caught);
  await away.end();
  expect(postgresStorageError(error)).toBeInstanceOf(StorageBusyError);
  expect(postgresStorageError(error)?.reason).toBe('it does not accept connections');
});

test('work that throws leaves nothing, and the connection is as before', async () => {
  const sql = postgresSql(pool);
  const insert = sql.prepare('insert into t (id) values (?)');
  const count = sql.prepareValue<[], number>('select count(*) from t where id < 100');
  await expect(
    sql.write(function* () {
      yield* insert.run(1n);
      throw new Error('half way');
    }),
  ).rejects.toThrow('half way');
  expect(await sql.read(() => count.get())).toBe(0);
});

test('a connection that ends in the middle of a write makes the write fail, and nothing else', async () => {
  const sql = postgresSql(pool);
  const pid = sql.prepareValue<[], number>('select pg_backend_pid()');
  const write = sql.write(function* () {
    const own = yield* pid.get();
    yield* waitFor(async () => {
      await pool.query('select pg_terminate_backend($1, 5000)', [own]);
      // What the server said last has to arrive.
      await new Promise((resolve) => setImmediate(resolve));
    });
    return yield* pid.get();
  });
  await expect(write.catch((error: unknown) => Promise.reject(postgresStorageError(error)))).rejects.toThrow(
    StorageBusyError,
  );
  expect(await sql.read(() => pid.get())).toBeTypeOf('number');
});

test('a column that a newer build adds is no matter to what was prepared before', async () => {
  await pool.query('create table growing (id bigint); insert into growing values (1)');
  const sql = postgresSql(pool);
  const all = sql.prepare('select * from growing');
  const remove = sql.prepare('delete from growing returning *');
  const removed = () => sql.write(() => remove.all());
  expect(await sql.read(() => all.all())).toEqual([{ id: 1 }]);
  expect(await removed()).toEqual([{ id: 1 }]);
  await pool.query('alter table growing add column more bigint; insert into growing values (2, 3)');
  expect(await sql.readTogether(() => all.all())).toEqual([{ id: 2, more: 3 }]);
  await pool.query('alter table growing add column most bigint');
  expect(await sql.read(() => all.all())).toEqual([{ id: 2, more: 3, most: null }]);
  expect(await removed()).toEqual([{ id: 2, more: 3, most: null }]);
});

test('what may not be used any more is neither read nor written', async () => {
  const sql = postgresSql(pool, { refusal: () => 'it is of somebody else' });
  const insert = sql.prepare('insert into t (id) values (77)');
  await expect(sql.write(() => insert.run())).rejects.toThrow('it is of somebody else');
  await expect(sql.read(() => insert.run())).rejects.toMatchObject({ code: 'storage_fault' });
  expect((await pool.query('select id from t where id = 77')).rows).toEqual([]);
});
