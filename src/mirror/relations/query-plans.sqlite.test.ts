import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createRelationRepository } from './relation-repository.sql.ts';

test('no question about relations walks a table or sorts', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (spied) => createRelationRepository(sqliteSql(spied)));
  expect(plans).toHaveLength(9);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps) {
      expect(step, sql).toMatch(/^(SEARCH |SCAN \w+ VIRTUAL|LIST SUBQUERY|CORRELATED SCALAR SUBQUERY)/);
    }
  }
  const ofToken = plans.filter(({ sql }) => /where token_id = \? and account_id/.test(sql));
  const ofBalance = plans.filter(({ sql }) => sql.includes('balance >= ?'));
  expect(ofBalance.map(({ steps }) => steps)).toEqual([
    [expect.stringContaining('INDEX token_balance_by_balance (token_id=? AND balance>? AND balance<?)')],
  ]);
  expect(ofToken).toHaveLength(2);
  for (const { steps } of ofToken) {
    expect(steps).toEqual([
      expect.stringContaining('INDEX token_balance_by_token (token_id=? AND account_id>? AND account_id<?)'),
    ]);
  }
  database.close();
});

test('a transfer touches the clustered row and the indexes of balances and times alone', () => {
  const database = openDatabase(':memory:');
  const columns = database
    .prepare<[], { readonly index: string; readonly column: string | null }>(
      `select l.name as "index", i.name as "column" from pragma_index_list('token_balance') l,
         pragma_index_info(l.name) i where l.origin = 'c' order by l.name, i.seqno`,
    )
    .all();
  expect(columns).toEqual([
    { index: 'token_balance_by_balance', column: 'token_id' },
    { index: 'token_balance_by_balance', column: 'balance' },
    { index: 'token_balance_by_token', column: 'token_id' },
    { index: 'token_balance_by_token', column: 'account_id' },
    { index: 'token_balance_by_ts', column: 'balance_ts' },
  ]);
  database.close();
});
