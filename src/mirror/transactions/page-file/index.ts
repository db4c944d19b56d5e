import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import type { Dialect } from '../transaction-repository.sqlite.ts';
import { systemPageDisk } from './page-disk.ts';
import { PageFile } from './page-file.ts';
import { createSqlitePageSource } from './page-source.sqlite.ts';
import { takeWriterLock } from './writer-lock.sqlite.ts';

export { type FollowedLedger, followLedger } from './follow-ledger.ts';
export type { PageFile } from './page-file.ts';
export { withPageFile } from './page-file-repository.ts';

export interface PageFileSetup {
  readonly database: SqliteDatabase;
  readonly dialect: Dialect;
  readonly folder: string;
  readonly log: { warn(fields: object, message: string): void };
}

/** The page file of a database, not yet followed: nothing is read or written before. */
export function createPageFile({ database, dialect, folder, log }: PageFileSetup): PageFile {
  return new PageFile({
    source: createSqlitePageSource(database, dialect),
    disk: systemPageDisk,
    folder,
    takeLock: takeWriterLock,
    log,
  });
}

/** How a page file stands, as readiness shows it. */
export function describePageFile({ state, transactions }: PageFile): Readonly<Record<string, unknown>> {
  return { state, transactions };
}
