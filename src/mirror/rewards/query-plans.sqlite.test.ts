import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createRewardRepository } from './reward-repository.sql.ts';

test('rewards are found by their index, in order', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (database) => createRewardRepository(sqliteSql(database)));
  expect(plans).toHaveLength(4);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    expect(steps[0], sql).toMatch(/^SEARCH staking_reward USING COVERING INDEX staking_reward_by_account/);
  }
  database.close();
});
