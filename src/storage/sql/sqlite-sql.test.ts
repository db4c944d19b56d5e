import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { sqliteSql } from './sqlite-sql.ts';

const RUNS = 3_000;
/** Takes fifty times longer to prepare than to run. */
const SELECT = `select a.name from sqlite_schema a ${[1, 2, 3, 4, 5, 6, 7, 8]
  .map((join) => `left join sqlite_schema b${join} on b${join}.rowid = a.rowid`)
  .join(' ')} where a.rowid = -1`;

const database = openDatabase(':memory:');
afterAll(() => database.close());

/** Least CPU time, of three trials, of a statement that was prepared once. */
function costOf(limit: string, ...values: readonly unknown[]): number {
  return Math.min(...[1, 2, 3].map(() => trial(limit, values)));
}

function trial(limit: string, values: readonly unknown[]): number {
  const sql = sqliteSql(database);
  const statement = sql.prepare<unknown[], string>(`${SELECT} ${limit}`);
  const run = () => sql.read(() => statement.all(...values));
  run();
  const before = process.cpuUsage();
  for (let index = 0; index < RUNS; index += 1) run();
  const { system, user } = process.cpuUsage(before);
  return user + system;
}

test.each([
  ['limit ?', [25]],
  ['LIMIT @count', [{ count: 25 }]],
  ['limit ? offset ?', [25, 5]],
])('a statement with %s is not prepared again at each binding', (limit, values) => {
  expect(costOf(limit, ...values)).toBeLessThan(10 * costOf('limit 25'));
});
