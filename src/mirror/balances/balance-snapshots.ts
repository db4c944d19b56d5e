import { MAX_INT64 } from '../../values/int64.ts';
import { windowStart } from '../ledger/balance-snapshots.ts';
import { narrowingBounds } from '../network/timestamp-bounds.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';
import type { BalanceSnapshots } from './balance-snapshots.sql.ts';

/** A snapshot, and from when on rows count for it: of each account and token the newest in between. */
export interface Snapshot {
  readonly at: bigint;
  readonly since: bigint;
}

/** An account and what it held of a token. */
export interface SnapshotHolder {
  readonly account: bigint;
  readonly balance: bigint | null;
}

/**
 * The snapshot that conditions on the time ask for: `eq` means "at or before", `ne` leaves snapshots out.
 *
 * @param now nanoseconds
 * @returns null when there is none.
 * @see contracts/mirror-entities.md section 1.6
 */
export async function findSnapshot(
  conditions: readonly TimestampCondition[],
  now: bigint,
  snapshots: Pick<BalanceSnapshots, 'newest'>,
): Promise<Snapshot | null> {
  const excluded = conditions.filter(({ operator }) => operator === 'ne').map(({ value }) => value);
  const bounds = narrowingBounds(conditions.filter(({ operator }) => operator !== 'ne'));
  const upper = bounds.upper ?? MAX_INT64;
  const lower = bounds.lower ?? 0n;
  const earliest = windowStart(upper < now ? upper : now);
  const search = { lower: lower > earliest ? lower : earliest, upper, excluded };
  return search.lower > upper ? null : snapshots.newest(search);
}
