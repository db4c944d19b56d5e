import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import type { LedgerContinuity } from './ledger-report.ts';

/** Walks the stored units once. @see LedgerReport */
export function readLedgerContinuity(database: SqliteDatabase): LedgerContinuity {
  const summary = database
    .prepare(
      'select count(*) as units, min(consensus_start) as first, max(consensus_end) as last from ledger_unit',
    )
    .safeIntegers()
    .get() as { units: bigint; first: bigint | null; last: bigint | null };
  const breaks = database
    .prepare(
      `select name from (
         select name, previous_hash, lag(hash) over (order by consensus_end) as expected from ledger_unit
         where kind in ('record', 'block')
       )
       where expected is not null and previous_hash <> expected
         and previous_hash <> zeroblob(length(previous_hash))
         and not exists (select 1 from ledger_gap where expected_hash = expected and found_hash = previous_hash)`,
    )
    .pluck()
    .all() as string[];
  return { units: Number(summary.units), firstConsensus: summary.first, lastConsensus: summary.last, breaks };
}
