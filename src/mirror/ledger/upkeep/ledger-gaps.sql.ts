import type { Sql } from '../../../storage/sql/sql.ts';
import type { AcceptedGap, LedgerGaps } from './ledger-gaps.ts';

interface GapRow {
  readonly from_ts: bigint;
  readonly to_ts: bigint;
  readonly unit_name: string;
  readonly expected_hash: Buffer;
  readonly found_hash: Buffer;
  readonly reason: string;
}

/** Keeps accepted gaps in the table `ledger_gap`. */
export function createLedgerGaps(sql: Sql): LedgerGaps {
  const all = sql.prepareExact<[], GapRow>('select * from ledger_gap order by from_ts');
  const match = sql.prepareValue<[Uint8Array, Uint8Array], number>(
    'select 1 from ledger_gap where expected_hash = ? and found_hash = ?',
  );
  const covering = sql.prepareValue<[bigint, bigint], number>(
    'select 1 from ledger_gap where from_ts < ? and to_ts > ?',
  );
  const insert = sql.prepare(
    `insert into ledger_gap (from_ts, to_ts, unit_name, expected_hash, found_hash, reason) values (?, ?, ?, ?, ?, ?)
     on conflict (from_ts) do update set to_ts = excluded.to_ts, unit_name = excluded.unit_name,
       expected_hash = excluded.expected_hash, found_hash = excluded.found_hash, reason = excluded.reason`,
  );
  return {
    accepted: () =>
      sql.read(function* () {
        return (yield* all.all()).map(acceptedGap);
      }),
    accepts: sql.reading(function* (expected, found) {
      return (yield* match.get(expected, found)) !== undefined;
    }),
    covers: sql.reading(function* (instant) {
      return (yield* covering.get(instant, instant)) !== undefined;
    }),
    accept: sql.reading(function* ({ expectedHash, foundHash, from, reason, to, unit }) {
      yield* insert.run(from, to, unit, expectedHash, foundHash, reason);
    }),
  };
}

function acceptedGap(row: GapRow): AcceptedGap {
  return {
    from: row.from_ts,
    to: row.to_ts,
    unit: row.unit_name,
    expectedHash: row.expected_hash,
    foundHash: row.found_hash,
    reason: row.reason,
  };
}
