import type { SqliteDatabase } from '../../src/storage/sqlite.ts';
import { tableDump } from './table-dump.ts';

/** All tables of the status page, audit and notices included, as one text: equal texts are equal pages. */
export function statusDump(database: SqliteDatabase): string {
  const tables = database
    .prepare<[], { name: string }>(
      "select name from sqlite_schema where type = 'table' and name like 'status\\_%' escape '\\' order by name",
    )
    .all()
    .map(({ name }) => name);
  if (tables.length === 0) throw new Error('the database has no table of the status page');
  return tableDump(database, tables);
}
