import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { COPY_PROGRESS, incompleteCopy } from './incomplete-copy.ts';

/** @throws LedgerlensError `incomplete_copy` */
export function refuseIncompleteCopy(database: SqliteDatabase, url: string): void {
  const find = database.prepare('select 1 from sqlite_master where name = ?');
  if (find.get(COPY_PROGRESS) !== undefined) throw incompleteCopy(url);
}
