import { join } from 'node:path';
import { loadSqliteDriver } from '../../../storage/sqlite-driver.ts';

/** The right to write the page file of a folder, until it is released or the process ends. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the lock of a folder; null while another process has it.
 *
 * An empty SQLite file that stays locked: the operating system lets go of it however a process ends, and it holds
 * between containers that have process numbers of their own.
 *
 * @throws Error when the file cannot be made.
 */
export function takeWriterLock(folder: string): WriterLock | null {
  const Driver = loadSqliteDriver();
  const file = new Driver(join(folder, 'lock'), { timeout: 0 });
  try {
    // Nothing is ever written, so there is nothing to roll back.
    file.pragma('journal_mode = memory');
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return { release: () => void file.close() };
}
