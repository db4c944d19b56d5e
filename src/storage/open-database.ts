import { migrate, readMigrations } from './migrations.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

/**
 * Opens a database and brings its schema up to date.
 *
 * @param path of the file, or `:memory:`.
 * @param report gets the name of each migration that was applied
 * @throws LedgerlensError as {@link openSqlite} and {@link migrate} do.
 */
export function openDatabase(path: string, report?: (name: string) => void): SqliteDatabase {
  const database = openSqlite(path);
  try {
    migrate(database, readMigrations(), report);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
