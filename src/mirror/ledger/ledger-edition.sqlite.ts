import type { SqliteDatabase } from '../../storage/sqlite.ts';

/** SQL over `ledger_edition`: names the ledger and how often rows were changed that had been stored before. */
export const EDITION = `substr(hex(ledger_id), 1, 8) || '-' || rewrites`;

/**
 * Says that stored rows changed, or that rows were stored before the newest ones: files derived from the ledger are
 * written anew. Called in the database transaction that does so.
 */
export type MarkRewritten = () => void;

/** Prepares the statement once. */
export function createRewriteMark(database: SqliteDatabase): MarkRewritten {
  const mark = database.prepare('update ledger_edition set rewrites = rewrites + 1');
  return () => void mark.run();
}
