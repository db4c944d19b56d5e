import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { sharedPostgres } from '../../test/support/postgres.ts';
import { parseDatabaseUrl } from './database-url.ts';

test('every statement that a repository prepares is one that PostgreSQL takes', async () => {
  // Other tests of this process have prepared statements of their own.
  vi.resetModules();
  const { openStore } = await import('./open-store.ts');
  const { preparedTexts } = await import('../storage/postgres/postgres-sql.ts');
  const url = await (await sharedPostgres()).createDatabase();
  const store = await openStore(
    {
      database: parseDatabaseUrl(url),
      mirror: { dialect: 'spec', shard: 0n, realm: 0n, transactionBytes: false },
    },
    { log: { info() {}, warn() {}, error() {} } },
  );
  const { mirror, status, verify } = store;
  expect([mirror.rebuild, status.page, verify.jobs].every((part) => part !== undefined)).toBe(true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refused: string[] = [];
  for (const [index, text] of preparedTexts().entries()) {
    await client
      .query(`prepare statement_${index} as ${text}`)
      .catch((error: Error) => refused.push(`${error.message}: ${text}`));
  }
  await client.end();
  await store.close();
  expect(preparedTexts().length).toBeGreaterThan(300);
  expect(refused).toEqual([]);
});
