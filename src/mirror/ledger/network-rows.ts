import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';
import { bytes, int64, json, rowTable, text } from '../../values/row-table.ts';
import type { ServiceEndpoint } from './rows.ts';

/** A node in an address book. */
export const BOOK_ENTRY = rowTable({
  nodeId: int64('node_id'),
  nodeAccount: int64<EntityId | null>('node_account'),
  description: text<string | null>('description'),
  memo: text<string | null>('memo'),
  /** Hex text of the DER public key, as in the book; null when the book has none (file 101). */
  publicKey: text<string | null>('public_key'),
  nodeCertHash: bytes<Uint8Array | null>('node_cert_hash'),
  serviceEndpoints: json<readonly ServiceEndpoint[]>('service_endpoints'),
});

/** What a stake update tells of the network. */
export const NETWORK_STAKE = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** End of the staking period, nanoseconds. */
  stakingPeriodEnd: int64<ConsensusTimestamp>('staking_period_end'),
  maxStakeRewarded: int64('max_stake_rewarded'),
  maxStakingRewardRatePerHbar: int64('max_staking_reward_rate_per_hbar'),
  maxTotalReward: int64('max_total_reward'),
  nodeRewardFeeNumerator: int64('node_reward_fee_numerator'),
  nodeRewardFeeDenominator: int64('node_reward_fee_denominator'),
  reservedStakingRewards: int64('reserved_staking_rewards'),
  rewardBalanceThreshold: int64('reward_balance_threshold'),
  stakeTotal: int64('stake_total'),
  /** Minutes. */
  stakingPeriodDuration: int64('staking_period_duration'),
  stakingPeriodsStored: int64('staking_periods_stored'),
  stakingRewardFeeNumerator: int64('staking_reward_fee_numerator'),
  stakingRewardFeeDenominator: int64('staking_reward_fee_denominator'),
  stakingRewardRate: int64('staking_reward_rate'),
  stakingStartThreshold: int64('staking_start_threshold'),
  unreservedStakingRewardBalance: int64('unreserved_staking_reward_balance'),
});

/** What it tells of a node; a stored bound of −1 means none. */
export const NODE_STAKE = rowTable({
  nodeId: int64('node_id'),
  maxStake: int64('max_stake'),
  minStake: int64('min_stake'),
  rewardRate: int64('reward_rate'),
  stake: int64('stake'),
  stakeNotRewarded: int64('stake_not_rewarded'),
  stakeRewarded: int64('stake_rewarded'),
});
