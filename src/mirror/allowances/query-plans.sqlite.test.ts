import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { indexRange, recordedStatements } from '../../storage/testing/query-plans.ts';
import { createSqliteAllowanceRepository } from './allowance-repository.sqlite.ts';

let database: SqliteDatabase;
beforeAll(() => {
  database = openDatabase(':memory:');
});
afterAll(() => database.close());

test('approvals are ranges of indexes of those in force', () => {
  const plans = recordedStatements(database, createSqliteAllowanceRepository);
  expect(plans.filter(({ isSorted }) => isSorted)).toEqual([]);
  const inForce = 'allowance_in_force: kind=? AND owner_id=? AND';
  const pairs = (one: string, other: string) => `(${one},${other})>(?,?) AND (${one},${other})<(?,?)`;
  expect([...new Set(plans.map(indexRange))]).toEqual([
    `${inForce} spender_id>? AND spender_id<?`,
    `${inForce} spender_id=? AND token_id>? AND token_id<?`,
    `${inForce} ${pairs('spender_id', 'token_id')}`,
    `nft_approval_of_spender: spender_id=? AND ${pairs('owner_id', 'token_id')}`,
    `nft_approval_of_spender_by_token: spender_id=? AND ${pairs('token_id', 'owner_id')}`,
  ]);
});
