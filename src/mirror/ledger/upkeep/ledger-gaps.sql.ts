import { insertText, prepareSelect, type Sql } from '../../../storage/sql/sql.ts';
import { type AcceptedGap, GAP } from './ledger-gaps.ts';

/** Gaps over which an import may continue. @see contracts/streams.md section 11, allowed jumps */
export type LedgerGaps = ReturnType<typeof createLedgerGaps>;

/** Keeps accepted gaps in the table `ledger_gap`. */
export function createLedgerGaps(sql: Sql) {
  const all = prepareSelect(sql, GAP, 'from ledger_gap order by from_ts');
  // Two equal hashes are those of every file behind the same one: it is a hole in their numbers that was accepted.
  const match = sql.prepareValue<[Uint8Array, Uint8Array, bigint], number>(
    `select 1 from ledger_gap where expected_hash = ? and found_hash = ?
       and (expected_hash <> found_hash or to_ts = ?)`,
  );
  const covering = sql.prepareValue<[bigint, bigint], number>(
    'select 1 from ledger_gap where from_ts < ? and to_ts > ?',
  );
  const insert = sql.prepare(
    `${insertText('ledger_gap', GAP.columns)}
     on conflict (from_ts) do update set to_ts = excluded.to_ts, unit_name = excluded.unit_name,
       expected_hash = excluded.expected_hash, found_hash = excluded.found_hash, reason = excluded.reason`,
  );
  return {
    /** In the order of time. */
    accepted: () => sql.read(() => all.all()),
    /** Whether a unit with this begin that names `found` may follow the one with hash `expected`. */
    accepts: sql.reading(function* (expected: Uint8Array, found: Uint8Array, begin: bigint) {
      return (yield* match.get(expected, found, begin)) !== undefined;
    }),
    /** Whether a time lies in an accepted gap. */
    covers: sql.reading(function* (instant: bigint) {
      return (yield* covering.get(instant, instant)) !== undefined;
    }),
    accept: sql.reading(function* (gap: AcceptedGap) {
      yield* insert.run(GAP.write(gap));
    }),
  };
}
