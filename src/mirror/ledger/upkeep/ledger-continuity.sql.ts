import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import type { LedgerContinuity } from './ledger-report.ts';

/** Walks the stored units once. @see LedgerReport */
export function* readLedgerContinuity(sql: Sql): Work<LedgerContinuity> {
  const { zeros } = sql.dialect;
  const summary = (yield* sql
    .prepareExact(
      'select count(*) as units, min(consensus_start) as first, max(consensus_end) as last from ledger_unit',
    )
    .get()) as { units: bigint; first: bigint | null; last: bigint | null };
  const breaks = (yield* sql
    .prepareValue(
      `select name from (
         select name, previous_hash, lag(hash) over (order by place) as expected from ledger_unit
         where kind in ('record', 'block')
       ) links
       where expected is not null and previous_hash <> expected
         and previous_hash <> ${zeros('length(previous_hash)')}
         and not exists (select 1 from ledger_gap where expected_hash = expected and found_hash = previous_hash)`,
    )
    .all()) as string[];
  return { units: Number(summary.units), firstConsensus: summary.first, lastConsensus: summary.last, breaks };
}
