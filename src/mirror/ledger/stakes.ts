import { int64, type RecordOf, rowTable } from '../../values/row-table.ts';

/** What an account had staked to a node at the end of a staking period, and what it is due for that. */
export const STAKE_ROW = rowTable({
  account: int64('account_id'),
  /** Since when, up to the next row. */
  lower: int64('lower_ts'),
  /** Day since 1970 of the period that ended. */
  endStakePeriod: int64('end_stake_period'),
  /** Tinybars. */
  pendingReward: int64('pending_reward'),
});
export type StakeRow = Omit<RecordOf<typeof STAKE_ROW>, 'lower'>;

const DAY_NANOS = 86_400_000_000_000n;

/** The staking settings of an account at the time of its stake row. */
export interface StakeSettings {
  readonly declinesReward: boolean | null;
  /** Null when it is not staked to a node. */
  readonly stakedNode: bigint | null;
  /** First nanosecond of the UTC day. */
  readonly stakePeriodStart: bigint | null;
}

/**
 * The reward that an account shows as pending, tinybars.
 *
 * @param stake null without a row
 * @see contracts/mirror-entities.md section 2, pending_reward
 */
export function pendingReward(stake: StakeRow | null, settings: StakeSettings): bigint {
  const { declinesReward, stakePeriodStart, stakedNode } = settings;
  if (stake === null || declinesReward === true || stakedNode === null || stakedNode < 0n) return 0n;
  if (stakePeriodStart !== null && stakePeriodStart / DAY_NANOS >= stake.endStakePeriod) return 0n;
  return stake.pendingReward;
}
