import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { type FixtureTransaction, fixtureTransaction } from '../ledger/fixture-unit.ts';
import type { HbarTransfer, LedgerTransaction, StakeUpdate } from '../ledger/rows.ts';

/** A transaction of 0.0.1001 at a number of nanoseconds. */
export function aTransaction(
  at: bigint,
  given: Omit<Partial<FixtureTransaction>, 'consensusTimestamp'> = {},
): LedgerTransaction {
  return fixtureTransaction({ payer: entityId(1001n), ...given, consensusTimestamp: consensusTimestamp(at) });
}

/** An hbar row without approval. */
export function aTransfer(num: bigint, amount: bigint): HbarTransfer {
  return { account: entityId(num), amount, isApproval: false };
}

/** A stake update of one node, with plain numbers. */
export function aStakeUpdate(at: bigint, given: Partial<StakeUpdate> = {}): StakeUpdate {
  return {
    consensusTimestamp: consensusTimestamp(at),
    stakingPeriodEnd: consensusTimestamp(1_654_992_999_999_999_999n),
    maxStakeRewarded: 1n,
    maxStakingRewardRatePerHbar: 2n,
    maxTotalReward: 3n,
    nodeRewardFeeNumerator: 3n,
    nodeRewardFeeDenominator: 1000n,
    reservedStakingRewards: 4n,
    rewardBalanceThreshold: 5n,
    stakeTotal: 9_007_199_254_740_993n,
    stakingPeriodDuration: 1440n,
    stakingPeriodsStored: 365n,
    stakingRewardFeeNumerator: 1n,
    stakingRewardFeeDenominator: 0n,
    stakingRewardRate: 6n,
    stakingStartThreshold: 7n,
    unreservedStakingRewardBalance: 8n,
    nodes: [
      {
        nodeId: 0n,
        maxStake: 5000n,
        minStake: -1n,
        rewardRate: 6n,
        stake: 13n,
        stakeNotRewarded: 8n,
        stakeRewarded: 5n,
      },
    ],
    ...given,
  };
}
