import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { bytes, int64, type RecordOf, rowTable, text } from '../../../values/row-table.ts';
import type { LedgerGaps } from './ledger-gaps.sql.ts';

/** A range without units that the operator accepted; times are nanoseconds, both themselves outside the gap. */
export const GAP = rowTable({
  /** End of the last unit before the gap. */
  from: int64('from_ts'),
  /** Begin of the first unit after it. */
  to: int64('to_ts'),
  /** Name of the first unit after it. */
  unit: text('unit_name'),
  /** Hash of the last unit before the gap. */
  expectedHash: bytes('expected_hash'),
  /** Hash that the first unit after it names as previous. */
  foundHash: bytes('found_hash'),
  /** The operator's word for it. */
  reason: text('reason'),
});
export type AcceptedGap = RecordOf<typeof GAP>;
export type LedgerGap = Omit<AcceptedGap, 'reason'>;

/** A ledger that allows none. */
export const noGaps: Pick<LedgerGaps, 'accepts' | 'covers'> = {
  accepts: async () => false,
  covers: async () => false,
};

/** A gap as readiness shows it. */
export function describeGap({ from, reason, to, unit }: AcceptedGap): Readonly<Record<string, string>> {
  return { from: printTimestamp(from), to: printTimestamp(to), unit, reason };
}
