import { readdirSync, readFileSync } from 'node:fs';
import type { SqliteDatabase } from '../../src/storage/sqlite.ts';

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
  return tables.map((name) => `${name}\n${rowsOf(database, name).join('\n')}`).join('\n\n');
}

function rowsOf(database: SqliteDatabase, name: string): readonly string[] {
  return database
    .prepare<[], Record<string, unknown>>(`select * from "${name}"`)
    .safeIntegers(true)
    .all()
    .map((row) =>
      JSON.stringify(row, (_key, value: unknown) => {
        if (typeof value === 'bigint') return `${value}n`;
        return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
      }),
    )
    .sort();
}
