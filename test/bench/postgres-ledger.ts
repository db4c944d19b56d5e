import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { copyStore } from '../../src/store/open-store.ts';
import { startPostgres } from '../support/postgres.ts';

/** Runs `work` with the URL of a PostgreSQL database that has everything of an SQLite file. */
export async function withPostgresCopy<T>(path: string, work: (url: string) => Promise<T>): Promise<T> {
  const cluster = await startPostgres();
  try {
    const url = await cluster.createDatabase();
    await copyStore(parseDatabaseUrl(`sqlite:${path}`), parseDatabaseUrl(url), () => undefined);
    return await work(url);
  } finally {
    await cluster.stop();
  }
}
