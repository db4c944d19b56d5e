import type { ContractResult } from '../../../src/mirror/ledger/facets/contract-results.ts';
import { type FixtureTransaction, fixtureTransaction } from '../../../src/mirror/ledger/fixture-unit.ts';
import { type KnownTrust, NO_PROOF_STATE } from '../../../src/mirror/ledger/known-trust.ts';
import type { HbarTransfer, LedgerTransaction, StakeUpdate } from '../../../src/mirror/ledger/rows.ts';
import { RESULT } from '../../../src/mirror/vocabulary/response-codes.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../src/values/entity-id.ts';

/** Of an empty ledger. */
export const NO_KNOWN_TRUST: KnownTrust = { ...NO_PROOF_STATE, publications: [] };

/** A transaction of 0.0.1001 at a number of nanoseconds. */
export function aTransaction(
  at: bigint,
  given: Omit<Partial<FixtureTransaction>, 'consensusTimestamp'> = {},
): LedgerTransaction {
  return fixtureTransaction({ payer: entityId(1001n), ...given, consensusTimestamp: consensusTimestamp(at) });
}

/** What a call of 0.0.2001 by 0.0.1001 at a number of nanoseconds came to, the first of its block. */
export function aContractResult(
  at: bigint,
  given: Omit<Partial<ContractResult>, 'consensusTimestamp'> = {},
): ContractResult {
  return {
    consensusTimestamp: consensusTimestamp(at),
    payer: entityId(1001n),
    nonce: 0,
    result: RESULT.SUCCESS,
    contract: entityId(2001n),
    sender: entityId(1001n),
    senderAlias: null,
    transactionIndex: 0,
    hash: new Uint8Array(32).fill(1),
    amount: 0n,
    gasLimit: 1n,
    gasUsed: 1n,
    gasConsumed: null,
    bloom: null,
    callResult: null,
    errorMessage: null,
    functionParameters: null,
    failedInitcode: null,
    createdContracts: [],
    hasRun: true,
    ...given,
  };
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
