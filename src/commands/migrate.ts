import { readConfig } from '../config.ts';
import { parseDatabaseUrl } from '../storage/database-url.ts';
import { migrate } from '../storage/migrations.ts';
import { openSqlite } from '../storage/sqlite.ts';
import type { Invocation } from './command-table.ts';

/** `ledgerlens migrate`: applies missing migrations and names them. */
export async function execute({ env }: Invocation): Promise<number> {
  const config = readConfig(env);
  const database = openSqlite(parseDatabaseUrl(config.databaseUrl));
  try {
    const { from, to, pending } = migrate(database);
    if (pending.length === 0) console.log(`The database is at schema version ${to}; nothing to do.`);
    else console.log([`Schema version ${from} -> ${to}:`, ...pending.map((name) => `  ${name}`)].join('\n'));
    return 0;
  } finally {
    database.close();
  }
}
