import { insertText, prepareSelect } from '../../../storage/sql/row-table.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { int64, rowTable } from '../../../values/row-table.ts';
import type { AcceptedGap, LedgerGaps } from './ledger-gaps.ts';

const GAP = rowTable<AcceptedGap>({
  from: int64('from_ts'),
  to: int64('to_ts'),
  unit: 'unit_name',
  expectedHash: 'expected_hash',
  foundHash: 'found_hash',
  reason: 'reason',
});

/** Keeps accepted gaps in the table `ledger_gap`. */
export function createLedgerGaps(sql: Sql): LedgerGaps {
  const all = prepareSelect(sql, GAP, 'from ledger_gap order by from_ts');
  const match = sql.prepareValue<[Uint8Array, Uint8Array], number>(
    'select 1 from ledger_gap where expected_hash = ? and found_hash = ?',
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
    accepted: () => sql.read(() => all.all()),
    accepts: sql.reading(function* (expected, found) {
      return (yield* match.get(expected, found)) !== undefined;
    }),
    covers: sql.reading(function* (instant) {
      return (yield* covering.get(instant, instant)) !== undefined;
    }),
    accept: sql.reading(function* (gap) {
      yield* insert.run(GAP.write(gap));
    }),
  };
}
