import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../test/support/postgres.ts';
import { migratePostgres } from '../storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../storage/postgres/postgres-pool.ts';
import { postgresSql } from '../storage/postgres/postgres-sql.ts';
import { MAX_INT64, MIN_INT64 } from '../values/int64.ts';
import { createContractCodes } from './contracts/contract-codes.sql.ts';
import { createLedgerLookup } from './ingest/ledger-lookup.sql.ts';
import { createEntityReader } from './ledger/entity-reader.sql.ts';
import { createLedgerReader } from './ledger/ledger-reader.sql.ts';
import { createScheduleRepository } from './schedules/schedule-repository.sql.ts';

const ADDRESS = Buffer.alloc(20, 0xab);
const ALIAS = Buffer.alloc(3, 0xcd);
const SCHEDULES = 30;

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = openPostgresPool(await cluster.createDatabase());
  await migratePostgres(pool);
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});

test('of those with one address the newest is found, not one whose creation is not known', async () => {
  await pool.query(
    `insert into entity (id, type, evm_address, alias, created_ts)
     values (1, 'CONTRACT', $1, $2, 10), (2, 'CONTRACT', $1, $2, 20), (3, 'CONTRACT', $1, $2, null)`,
    [ADDRESS, ALIAS],
  );
  const sql = postgresSql(pool);
  expect(await createEntityReader(sql).byAlias(ALIAS)).toBe(2n);
  expect(await createLedgerReader(sql).contractByEvmAddress(ADDRESS.toString('hex'))).toBe(2n);
  expect(await createLedgerLookup(sql).entityByAlias(ALIAS)).toBe(2n);
  const codes = createContractCodes(sql, { shard: 0n, realm: 0n });
  expect(await codes.find(ADDRESS)).toMatchObject({ contract: 2n });
});

test('schedules and their signatures keep their order, in whatever order the rows lie', async () => {
  await pool.query(
    `insert into schedule select i, 1, 1, i, null, null, 0, '' from generate_series(${SCHEDULES}, 1, -1) as rows(i)`,
  );
  await pool.query(
    `insert into schedule_signature select i, 1, 1 + i % 2, 0, '', '' from generate_series(${SCHEDULES}, 1, -1) as rows(i)`,
  );
  await pool.query('analyze');
  const schedules = createScheduleRepository(postgresSql(pool));
  const all = { lower: MIN_INT64, upper: MAX_INT64, excluded: new Set<bigint>() };
  const found = await schedules.page({ ids: all, creators: all, order: 'asc', limit: SCHEDULES });
  expect(found.map(({ schedule }) => Number(schedule))).toEqual(
    Array.from({ length: SCHEDULES }, (_, at) => at + 1),
  );
  const times = found[0]?.signatures.map(({ consensusTimestamp }) => Number(consensusTimestamp)) ?? [];
  expect(times).toHaveLength(SCHEDULES / 2);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
