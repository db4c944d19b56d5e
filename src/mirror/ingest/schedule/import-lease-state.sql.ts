import { DATABASE_NOW, type Sql } from '../../../storage/sql/sql.ts';

/** Whether any process holds the lease of imports, and how often it changed hands. */
export async function readImportLease(
  sql: Sql,
): Promise<{ readonly isHeld: boolean; readonly taken: number } | null> {
  const find = sql.prepare<[], { readonly token: number; readonly isHeld: number }>(
    `select token, case when owner is not null and until_ms > ${DATABASE_NOW} then 1 else 0 end as isHeld
     from import_lease`,
  );
  const row = await sql.read(() => find.get());
  return row === undefined ? null : { isHeld: row.isHeld === 1, taken: row.token };
}
