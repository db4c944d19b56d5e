import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { CopiedTable } from './copy-end.ts';

interface ColumnRow {
  readonly name: string;
  /** From 1 for columns of the key. */
  readonly pk: number;
}

/**
 * Every table of the product, those that are referred to before those that refer to them.
 *
 * Read from a schema that is made for it, so that no list has to be kept: tables and columns have the same names in
 * every database. What PostgreSQL has besides belongs to running processes.
 */
export function copiedTables(): readonly CopiedTable[] {
  const database = openDatabase(':memory:');
  try {
    return inOrder(database);
  } finally {
    database.close();
  }
}

function inOrder(database: SqliteDatabase): readonly CopiedTable[] {
  const names = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[];
  const referred = database.prepare('select distinct "table" from pragma_foreign_key_list(?)').pluck();
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    for (const other of referred.all(name) as string[]) if (other !== name) add(other);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered].map((name) => tableOf(database, name));
}

function tableOf(database: SqliteDatabase, name: string): CopiedTable {
  const rows = database
    .prepare('select name, pk from pragma_table_info(?) order by cid')
    .all(name) as ColumnRow[];
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return { name, columns: rows.map((row) => row.name), key: key.map((row) => row.name) };
}
