import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createTokenRepository } from './token-repository.sql.ts';

test('no question about tokens walks a table but along its key, and none sorts', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (spied) => createTokenRepository(sqliteSql(spied)));
  expect(plans.length).toBeGreaterThan(16);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(
        /^(SEARCH |SCAN \w+ VIRTUAL|SCAN CONSTANT ROW|SCAN wanted$|SCAN \(subquery|CO-ROUTINE|LIST SUBQUERY|CREATE BLOOM|CORRELATED SCALAR)/,
      );
  }
  database.close();
});
