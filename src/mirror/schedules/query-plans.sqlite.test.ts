import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createScheduleRepository } from './schedule-repository.sql.ts';

test('no question about schedules walks a table but along its key, and none sorts', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (database) => createScheduleRepository(sqliteSql(database)));
  expect(plans.length).toBeGreaterThan(4);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(/^(SEARCH |SCAN \w+ VIRTUAL|LIST SUBQUERY|CREATE BLOOM)/);
  }
  database.close();
});
