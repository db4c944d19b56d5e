import type { SqliteDatabase } from '../../storage/sqlite.ts';

/** What is stored of the ledger, and where its chain of hashes breaks. */
export interface LedgerContinuity {
  readonly units: number;
  /** Nanoseconds; null in an empty ledger. */
  readonly firstConsensus: bigint | null;
  readonly lastConsensus: bigint | null;
  /** Names of record files that do not name the hash of the unit before them. */
  readonly breaks: readonly string[];
}

/**
 * Walks the stored units once. A previous hash of zeros begins a stream anew and is no break; fixtures stand
 * outside the chain, and gaps that the operator accepted are none.
 *
 * @see contracts/streams.md section 11
 */
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
         select name, kind, previous_hash, lag(hash) over (order by consensus_end) as expected from ledger_unit
         where kind in ('record', 'block')
       )
       where kind = 'record' and expected is not null and previous_hash <> expected
         and previous_hash <> zeroblob(length(previous_hash))
         and not exists (select 1 from ledger_gap where expected_hash = expected and found_hash = previous_hash)`,
    )
    .pluck()
    .all() as string[];
  return { units: Number(summary.units), firstConsensus: summary.first, lastConsensus: summary.last, breaks };
}
