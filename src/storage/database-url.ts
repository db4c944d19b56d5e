import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { migrate } from './migrations.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

/**
 * Reads `DATABASE_URL`: `sqlite:path/to/file` or `sqlite::memory:`.
 *
 * @returns the path of the SQLite file, or `:memory:`.
 * @throws LedgerlensError `unsupported_database` for any other scheme. The value is not repeated: it may
 * hold a password.
 */
export function parseDatabaseUrl(url: string): string {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) return url.slice('sqlite:'.length);
  throw new LedgerlensError(
    'unsupported_database',
    'DATABASE_URL must be "sqlite:" and the path of a file, for example sqlite:data/ledgerlens.sqlite',
  );
}

/**
 * Opens the configured database and brings its schema up to date.
 *
 * @throws LedgerlensError as {@link parseDatabaseUrl}, {@link openSqlite} and {@link migrate} do.
 */
export function openDatabase(url: string): SqliteDatabase {
  const database = openSqlite(parseDatabaseUrl(url));
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
