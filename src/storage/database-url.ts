import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { migrate } from './migrations.ts';
import { openSqlite, type SqliteDatabase, type SqliteOptions } from './sqlite.ts';

/**
 * Reads `DATABASE_URL`: `sqlite:path/to/file` or `sqlite::memory:`.
 *
 * @returns the path of the SQLite file, or `:memory:`.
 * @throws LedgerlensError `unsupported_database` for any other scheme.
 */
export function parseDatabaseUrl(url: string): string {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) return url.slice('sqlite:'.length);
  throw new LedgerlensError(
    'unsupported_database',
    `DATABASE_URL must be "sqlite:" and the path of a file, for example sqlite:data/ledgerlens.sqlite; got "${url}"`,
  );
}

/** Opens the configured database and brings its schema up to date. */
export function openDatabase(url: string, options: SqliteOptions = {}): SqliteDatabase {
  const database = openSqlite(parseDatabaseUrl(url), options);
  try {
    if (options.readonly !== true) migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
