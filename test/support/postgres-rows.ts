import pg from 'pg';
import { ledgerTables } from './sqlite-file.ts';

/** What tests look at in a database of PostgreSQL behind its stores. */

/** Asks once, on a connection of its own. */
export async function query<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of the ledger, as one digest of each table: equal digests are equal ledgers. */
export async function ledgerDigests(url: string): Promise<Readonly<Record<string, string>>> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = cast(current_schema() as regnamespace) order by relname`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables.filter((each) => ledgerTables.includes(each.name))) {
    const text = `select coalesce(md5(string_agg(md5(cast(t as text)), '' order by md5(cast(t as text)))), '') as digest from ${name} t`;
    digests[name] = (await query<{ digest: string }>(url, text))[0]?.digest ?? '';
  }
  return digests;
}
