import type { Sql } from '../../../storage/sql/sql.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
import type { Work } from '../../../values/work.ts';
import { DERIVATION } from '../fold/ledger-clock.ts';
import type { LedgerContinuity, LedgerDerivation, LedgerSize } from './ledger-report.ts';
import { readLedgerIds, readUnitRuns } from './ledger-units.sql.ts';

/**
 * What operators are told about a stored ledger; each of it may read much, and prepares what it asks, since it is asked once.
 *
 * @param readSize tells what the tables take
 */
export function createLedgerReport(sql: Sql, readSize: () => MaybePromise<LedgerSize>) {
  return {
    /** What is stored, in the order of time; with `each` every unit by itself. */
    async unitRuns(each?: boolean) {
      return sql.read(() => readUnitRuns(sql, each));
    },
    /** The ids that the network published for its ledger, each once; the first one holds. */
    async ledgerIds() {
      return sql.read(() => readLedgerIds(sql));
    },
    /**
     * Walks the stored units once. A previous hash of zeros begins a stream anew and is no break; fixtures stand
     * outside the chain, and gaps that the operator accepted are none.
     *
     * @see contracts/streams.md section 11
     */
    async continuity() {
      return sql.read(() => readLedgerContinuity(sql));
    },
    /** Whether `ledger rebuild` would derive other state than is stored, since an earlier version began the ledger. */
    derivation() {
      return sql.read(() => readLedgerDerivation(sql));
    },
    async size() {
      return readSize();
    },
  };
}

/** Walks the stored units once. @see LedgerReport */
function* readLedgerContinuity(sql: Sql): Work<LedgerContinuity> {
  const { zeros } = sql.dialect;
  const summary = (yield* sql
    .prepareExact(
      'select count(*) as units, min(consensus_start) as first, max(consensus_end) as last from ledger_unit',
    )
    .get()) as { units: bigint; first: bigint | null; last: bigint | null };
  const namesOf = (where: string) =>
    sql
      .prepareValue<[], string>(
        `select name from (
           select name, is_native, previous_hash, previous_root, lag(hash) over (order by place) as expected,
             lag(root) over (order by place) as root_before
           from ledger_unit where kind in ('record', 'block')
         ) links where ${where}`,
      )
      .all();
  const breaks = yield* namesOf(`expected is not null and previous_hash <> expected
    and previous_hash <> ${zeros('length(previous_hash)')}
    and not exists (select 1 from ledger_gap where expected_hash = expected and found_hash = previous_hash)`);
  const unlinked = yield* namesOf(
    // Only where the block before is stored: it is not behind a gap, nor behind what retention deleted.
    `previous_hash = expected
       and (previous_root <> root_before or (previous_root is not null and root_before is null and is_native = 1))`,
  );
  const { first: firstConsensus, last: lastConsensus } = summary;
  return { units: Number(summary.units), firstConsensus, lastConsensus, breaks, unlinked };
}

/** Reads one row. @see LedgerReport */
function* readLedgerDerivation(sql: Sql): Work<LedgerDerivation> {
  const found = yield* sql
    .prepare<[bigint], { readonly isLost: number }>(
      `select exists (select 1 from ledger_retention) or exists (select 1 from ledger_unit where kind = 'fixture') as isLost
       from ledger_state where derivation is distinct from ?`,
    )
    .get(DERIVATION);
  if (found === undefined) return 'current';
  return found.isLost === 1 ? 'older-for-good' : 'older';
}
