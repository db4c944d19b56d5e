import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexRange, recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createAllowanceRepository } from './allowance-repository.sql.ts';

let database: SqliteDatabase;
beforeAll(() => {
  database = openDatabase(':memory:');
});
afterAll(() => database.close());

test('approvals are ranges of indexes of those in force', () => {
  const plans = recordedStatements(database, (spied) => createAllowanceRepository(sqliteSql(spied)));
  expect(plans.filter(({ isSorted }) => isSorted)).toEqual([]);
  const inForce = 'allowance_in_force: kind=? AND owner_id=? AND';
  const pairs = (one: string, other: string) => `(${one},${other})>(?,?) AND (${one},${other})<(?,?)`;
  const [ofList, ...ranges] = plans.toSorted(({ sql }) => (sql.includes('json_each') ? -1 : 1));
  expect(ofList?.steps).toEqual([
    expect.stringContaining('INDEX allowance_in_force (kind=? AND owner_id=? AND spender_id=?)'),
    expect.stringContaining('LIST SUBQUERY'),
    expect.stringContaining('SCAN json_each VIRTUAL'),
  ]);
  expect([...new Set(ranges.map(indexRange))]).toEqual([
    `${inForce} spender_id>? AND spender_id<?`,
    `${inForce} spender_id=? AND token_id>? AND token_id<?`,
    `${inForce} ${pairs('spender_id', 'token_id')}`,
    `nft_approval_of_spender: spender_id=? AND ${pairs('owner_id', 'token_id')}`,
    `nft_approval_of_spender_by_token: spender_id=? AND ${pairs('token_id', 'owner_id')}`,
  ]);
});
