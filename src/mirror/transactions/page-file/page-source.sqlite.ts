import { BOUND_LIMIT, type SqliteDatabase } from '../../../storage/sqlite.ts';
import { EDITION } from '../../ledger/ledger-edition.sqlite.ts';
import { type Dialect, TAIL_COLUMNS } from '../transaction-repository.sqlite.ts';
import type { StoredRow } from './block-format.ts';
import type { LedgerLook, PageSource } from './page-source.ts';

/** Reads the rows of a page file from the database. */
export function createSqlitePageSource(database: SqliteDatabase, dialect: Dialect): PageSource {
  const edition = database.prepare<[], string>(`select ${EDITION} from ledger_edition`).pluck();
  const oldest = database
    .prepare<[], bigint | null>('select min(consensus_ts) from tx')
    .safeIntegers(true)
    .pluck();
  const rows = database
    .prepare<[bigint, number], [time: bigint, json: string]>(
      `select consensus_ts, body || ${TAIL_COLUMNS[dialect]} from tx where consensus_ts >= ?
       order by consensus_ts limit ${BOUND_LIMIT}`,
    )
    .safeIntegers(true)
    .raw();
  const rowsFrom = (time: bigint, limit: number): readonly StoredRow[] =>
    rows.all(time, limit).map(([at, json]) => ({ time: at, json }));
  const look = database.transaction(
    (after: bigint, limit: number): LedgerLook => ({
      edition: edition.get() ?? '',
      oldest: oldest.get() ?? null,
      rows: rowsFrom(after + 1n, limit),
    }),
  );
  return {
    dialect,
    look: (after, limit) => (database.inTransaction ? null : look(after, limit)),
    rowsFrom,
  };
}
