import type { SqliteDatabase } from './sqlite.ts';

/**
 * Runs a small write, or leaves it when another process or thread holds the write lock.
 *
 * A write that may be left must not stop the process until an import has committed.
 *
 * @returns whether it ran.
 */
export function withoutWaiting(database: SqliteDatabase, write: () => void): boolean {
  const timeout = database.pragma('busy_timeout', { simple: true }) as number;
  database.pragma('busy_timeout = 0');
  try {
    write();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false;
    throw error;
  } finally {
    database.pragma(`busy_timeout = ${timeout}`);
  }
}
