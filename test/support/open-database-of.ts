import { openDatabase } from '../../src/storage/open-database.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';

/** The database of a server or command, to look into it. The caller closes it. @param url its `DATABASE_URL`. */
export function openDatabaseOf(url: string): SqliteDatabase {
  return openDatabase(parseDatabaseUrl(url).path ?? ':memory:');
}
