import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createHookRepository } from './hook-repository.sql.ts';

test('no question about hooks walks a table or sorts', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (database) => createHookRepository(sqliteSql(database)));
  expect(plans.length).toBeGreaterThan(4);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(
        /^(SEARCH |SCAN (json_each|listed) VIRTUAL|LIST SUBQUERY|CORRELATED SCALAR SUBQUERY|CREATE BLOOM)/,
      );
  }
  database.close();
});
