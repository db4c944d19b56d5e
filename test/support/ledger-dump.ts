import { readdirSync, readFileSync } from 'node:fs';
import type { SqliteDatabase } from '../../src/storage/sqlite.ts';
import { tableDump } from './table-dump.ts';

const migrations = new URL('../../migrations/sqlite/', import.meta.url);
const tables = readdirSync(migrations)
  .filter((name) => /^\d+-mirror\b.*\.sql$/.test(name))
  .flatMap((name) => [...readFileSync(new URL(name, migrations), 'utf8').matchAll(/^create table (\w+)/gm)])
  // It names the database and not the ledger in it.
  .flatMap(([, name]) => (name === undefined || name === 'ledger_edition' ? [] : name))
  .sort();

/**
 * All tables of the ledger as one ordered text: equal texts are equal ledgers.
 *
 * @see contracts/streams.md section 11, row Re-run
 */
export function ledgerDump(database: SqliteDatabase): string {
  return tableDump(database, tables);
}
