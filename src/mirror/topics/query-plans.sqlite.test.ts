import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import { recordedStatements } from '../../storage/testing/query-plans.ts';
import { createSqliteTopicMessageRepository } from './topic-message-repository.sqlite.ts';
import { createSqliteTopicRepository } from './topic-repository.sqlite.ts';

test('no question about topics and messages walks a table', () => {
  const database = openDatabase(':memory:');
  const plans = [createSqliteTopicMessageRepository, createSqliteTopicRepository].flatMap((create) =>
    recordedStatements(database, create),
  );
  expect(plans.length).toBeGreaterThan(4);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(/^(SEARCH |SCAN json_each VIRTUAL|LIST SUBQUERY|CREATE BLOOM)/);
  }
  database.close();
});
