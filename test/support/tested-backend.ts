import { sharedPostgres } from './postgres.ts';

/** Whether tests of the whole product shall use PostgreSQL: `TEST_BACKEND=postgres`. */
export const usesPostgres = (): boolean => process.env['TEST_BACKEND'] === 'postgres';

const databases = new Map<string, Promise<string>>();

/**
 * The database of the servers and commands of a test, each time the same for the same path: the file, or a database of
 * PostgreSQL when the tests shall use that.
 */
export async function databaseUrlOf(path: string): Promise<string> {
  if (!usesPostgres()) return `sqlite:${path}`;
  const url = databases.get(path) ?? sharedPostgres().then((cluster) => cluster.createMigrated());
  databases.set(path, url);
  return url;
}

/** The URL of an empty database: of PostgreSQL when the tests shall use that, else in memory. */
export async function emptyDatabaseUrl(): Promise<string> {
  return usesPostgres() ? (await sharedPostgres()).createMigrated() : 'sqlite::memory:';
}
