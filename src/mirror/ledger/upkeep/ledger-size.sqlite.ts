import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { LEDGER_TABLES, type LedgerSize, type TableSize } from './ledger-report.ts';

interface PartRow {
  readonly name: string;
  readonly owner: string;
  readonly bytes: number;
}

/** Reads the whole file once. */
export function readLedgerSize(database: SqliteDatabase): LedgerSize {
  const parts = database
    .prepare<[], PartRow>(
      `select s.name, coalesce(m.tbl_name, s.name) as owner, sum(s.pgsize) as bytes
       from dbstat s left join sqlite_schema m on m.name = s.name where s.aggregate = true group by s.name`,
    )
    .all();
  const tables = new Map<string, TableSize>();
  for (const { bytes, name, owner } of parts) {
    if (!LEDGER_TABLES.test(owner)) continue;
    const known = tables.get(owner) ?? { table: owner, tableBytes: 0, indexBytes: 0 };
    const isTable = name === owner;
    tables.set(owner, {
      ...known,
      tableBytes: known.tableBytes + (isTable ? bytes : 0),
      indexBytes: known.indexBytes + (isTable ? 0 : bytes),
    });
  }
  const pragma = (name: string) => database.pragma(name, { simple: true }) as number;
  const pageBytes = pragma('page_size');
  return {
    transactions: database.prepare<[], number>('select count(*) from tx').pluck().get() ?? 0,
    tables: [...tables.values()].sort(
      (left, right) => right.tableBytes + right.indexBytes - left.tableBytes - left.indexBytes,
    ),
    databaseBytes: pragma('page_count') * pageBytes,
    freeBytes: pragma('freelist_count') * pageBytes,
  };
}
