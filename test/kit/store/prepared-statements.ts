import { vi } from 'vitest';
import { parseDatabaseUrl } from '../../../src/store/database-url.ts';

/** The texts of all statements that the repositories of a server prepare on a database of PostgreSQL. */
export async function preparedStatements(url: string): Promise<readonly string[]> {
  // Other tests of this process have prepared statements of their own.
  vi.resetModules();
  const { openStore } = await import('../../../src/store/open-store.ts');
  const { preparedTexts } = await import('../../../src/storage/postgres/postgres-sql.ts');
  const store = await openStore(
    {
      database: parseDatabaseUrl(url),
      mirror: { dialect: 'spec', shard: 0n, realm: 0n, transactionBytes: false },
    },
    { log: { info() {}, warn() {}, error() {} } },
  );
  const { mirror, status, verify } = store;
  if ([mirror.rebuild(), status.page, verify.jobs].includes(undefined as never)) {
    throw new Error('A part of the store is not there');
  }
  const texts = preparedTexts();
  await store.close();
  return texts;
}
