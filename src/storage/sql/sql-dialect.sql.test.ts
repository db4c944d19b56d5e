import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { openDatabase } from '../open-database.ts';
import { openPostgresPool } from '../postgres/postgres-pool.ts';
import { postgresSql } from '../postgres/postgres-sql.ts';
import type { Sql } from './sql.ts';
import { sqliteSql } from './sqlite-sql.ts';

let cluster: PostgresCluster;
const databases = new Map<string, Sql>();
const closed: (() => unknown)[] = [];
beforeAll(async () => {
  cluster = await startPostgres();
  const pool = openPostgresPool(await cluster.createDatabase());
  const database = openDatabase(':memory:');
  closed.push(
    () => pool.end(),
    () => database.close(),
  );
  databases.set('postgres', postgresSql(pool)).set('sqlite', sqliteSql(database));
});
afterAll(async () => {
  for (const close of closed) await close();
  await cluster?.stop();
});

test.each([
  ['sqlite', 'blob'],
  ['postgres', 'bytea'],
])('bytes become hex in %s, and null stays null', async (name, type) => {
  const sql = databases.get(name) as Sql;
  await sql.write(() => sql.prepare(`create table held (id integer, bytes ${type})`).run());
  const insert = sql.prepare<[number, Uint8Array | null]>('insert into held values (?, ?)');
  const given = [Buffer.of(0, 171, 255), Buffer.alloc(0), null];
  for (const [id, bytes] of given.entries()) await sql.write(() => insert.run(id, bytes));
  const read = sql.prepareValue<[], string>(
    `select ${sql.dialect.prefixedHex('bytes')} from held order by id`,
  );
  expect(await sql.read(() => read.all())).toEqual(['0x00abff', '0x', null]);
});
