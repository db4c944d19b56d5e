import pg from 'pg';
import { expect, test } from 'vitest';
import { preparedStatements } from '../../test/kit/store/prepared-statements.ts';
import { sharedPostgres } from '../../test/support/postgres.ts';

test('every statement that a repository prepares is one that PostgreSQL takes', async () => {
  const url = await (await sharedPostgres()).createDatabase();
  const texts = await preparedStatements(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: string[] = [];
  for (const [index, text] of texts.entries()) {
    await client
      .query(`prepare statement_${index} as ${text}`)
      .catch((error: Error) => refused.push(`${error.message}: ${text}`));
  }
  await client.end();
  expect(texts.length).toBeGreaterThan(300);
  expect(refused).toEqual([]);
});
