import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createTopicMessageRepository } from './topic-message-repository.sql.ts';
import { createTopicRepository } from './topic-repository.sql.ts';

test('no question about topics and messages walks a table', () => {
  const database = openDatabase(':memory:');
  const plans = [createTopicMessageRepository, createTopicRepository].flatMap((create) =>
    recordedStatements(database, (database) => create(sqliteSql(database))),
  );
  expect(plans.length).toBeGreaterThan(4);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(/^(SEARCH |SCAN (json_each|listed) VIRTUAL|LIST SUBQUERY|CREATE BLOOM)/);
  }
  database.close();
});
