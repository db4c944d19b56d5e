import type { ExactJson } from '../ledger/exact-json.ts';
import type { StakeUpdate } from '../ledger/rows.ts';
import { stakingPeriod } from './staking-period.ts';

/** The answer of `GET /api/v1/network/stake`. @see contracts/mirror-network.md section 6 */
export function stakeDocument(update: Omit<StakeUpdate, 'nodes'>): ExactJson {
  return {
    max_stake_rewarded: update.maxStakeRewarded,
    max_staking_reward_rate_per_hbar: update.maxStakingRewardRatePerHbar,
    max_total_reward: update.maxTotalReward,
    node_reward_fee_fraction: fraction(update.nodeRewardFeeNumerator, update.nodeRewardFeeDenominator),
    reserved_staking_rewards: update.reservedStakingRewards,
    reward_balance_threshold: update.rewardBalanceThreshold,
    stake_total: update.stakeTotal,
    staking_period: stakingPeriod(update.stakingPeriodEnd),
    staking_period_duration: update.stakingPeriodDuration,
    staking_periods_stored: update.stakingPeriodsStored,
    staking_reward_fee_fraction: fraction(
      update.stakingRewardFeeNumerator,
      update.stakingRewardFeeDenominator,
    ),
    staking_reward_rate: update.stakingRewardRate,
    staking_start_threshold: update.stakingStartThreshold,
    unreserved_staking_reward_balance: update.unreservedStakingRewardBalance,
  };
}

const BILLION = 1_000_000_000n;

/** Nine decimals, half up; 0 when there is nothing to divide by. */
export function fraction(numerator: bigint, denominator: bigint): number {
  if (denominator <= 0n) return 0;
  return Number((numerator * BILLION * 2n + denominator) / (denominator * 2n)) / Number(BILLION);
}
