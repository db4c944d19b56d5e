import { MAX_INT64 } from '../../values/int64.ts';
import { windowStart } from '../ledger/balance-snapshots.ts';
import type { EntityTimes } from '../ledger/entity-reader.ts';
import { narrowingBounds } from '../network/timestamp-bounds.ts';
import type { PageRange } from '../parameters/page-parameters.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';

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

/** Reads balances as they were. */
export interface BalanceSnapshots {
  /** The newest snapshot that meets the search. */
  newest(search: EntityTimes): Promise<Snapshot | null>;
  /** Tinybars; null when no row of the account counts. */
  balanceAt(account: bigint, snapshot: Snapshot): Promise<bigint | null>;
  /**
   * In the order of the accounts: those with any row of the token, as many as the limit; the balance is null when none
   * of their rows counts, or when the account had given the token up.
   */
  holdersAt(token: bigint, snapshot: Snapshot, range: PageRange): Promise<readonly SnapshotHolder[]>;
  /** The same of a list of accounts, in any order; those without a row may be among them. */
  holdersAmongAt(
    token: bigint,
    snapshot: Snapshot,
    accounts: readonly bigint[],
  ): Promise<readonly SnapshotHolder[]>;
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
  snapshots: BalanceSnapshots,
): Promise<Snapshot | null> {
  const excluded = conditions.filter(({ operator }) => operator === 'ne').map(({ value }) => value);
  const bounds = narrowingBounds(conditions.filter(({ operator }) => operator !== 'ne'));
  const upper = bounds.upper ?? MAX_INT64;
  const lower = bounds.lower ?? 0n;
  const earliest = windowStart(upper < now ? upper : now);
  const search = { lower: lower > earliest ? lower : earliest, upper, excluded };
  return search.lower > upper ? null : snapshots.newest(search);
}
