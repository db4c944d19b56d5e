import { existsSync, linkSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { SqliteDatabase } from './sqlite.ts';

/**
 * Writes one moment of a database into a new file, which is complete when it has its name.
 *
 * A server may read and write meanwhile: what it commits after the beginning is not in the copy.
 *
 * @throws LedgerlensError `backup_refused` when the file is there already: a backup never replaces another.
 */
export async function backUpDatabase(database: SqliteDatabase, to: string): Promise<void> {
  if (existsSync(to)) throw refused(to);
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(partial);
    const file = await open(partial);
    await file.sync().finally(() => file.close());
    // A link, unlike a rename, leaves a file alone that has come meanwhile.
    linkSync(partial, to);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? refused(to) : error;
  } finally {
    rmSync(partial, { force: true });
  }
}

function refused(to: string): LedgerlensError {
  return new LedgerlensError('backup_refused', `${to} already exists: name a new file`);
}
