import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import type { LedgerSize } from './ledger-report.ts';
import { LEDGER_TABLES } from './ledger-report.ts';

interface TableRow {
  readonly name: string;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Reads the catalogue; the partitions of a table count as the table. */
export function* readPostgresLedgerSize(sql: Sql): Work<LedgerSize> {
  const tables = yield* sql
    .prepare<[], TableRow>(
      `select coalesce(parent.relname, c.relname) as name, sum(pg_table_size(c.oid)) as "tableBytes",
         sum(pg_indexes_size(c.oid)) as "indexBytes"
       from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
       where c.relkind = 'r' and c.relnamespace = cast(current_schema() as regnamespace)
       group by coalesce(parent.relname, c.relname)`,
    )
    .all();
  const transactions = yield* sql.prepareValue<[], number>('select count(*) from tx').get();
  const bytes = yield* sql.prepareValue<[], number>('select pg_database_size(current_database())').get();
  return {
    transactions: transactions ?? 0,
    tables: tables
      .filter(({ name }) => LEDGER_TABLES.test(name))
      .map(({ indexBytes, name, tableBytes }) => ({ table: name, tableBytes, indexBytes }))
      .toSorted((left, right) => right.tableBytes + right.indexBytes - left.tableBytes - left.indexBytes),
    databaseBytes: bytes ?? 0,
    // What deleted rows leave is found by VACUUM alone.
    freeBytes: 0,
  };
}
