import { migrate } from './migrations.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

/**
 * Opens a database and brings its schema up to date.
 *
 * @param path of the file, or `:memory:`.
 * @throws LedgerlensError as {@link openSqlite} and {@link migrate} do.
 */
export function openDatabase(path: string): SqliteDatabase {
  const database = openSqlite(path);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
