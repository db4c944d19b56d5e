import {
  type ConsensusTimestamp,
  consensusTimestamp,
  NANOS_PER_SECOND,
} from '../../../values/consensus-timestamp.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import type { StakingMembers } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';

type Staking = Pick<EntityChange, 'stakedAccount' | 'stakedNode' | 'stakePeriodStart'>;

const DAY_NANOS = 86_400n * NANOS_PER_SECOND;

/**
 * Where an account or contract stakes from now on; nothing when the body does not say.
 *
 * Account 0.0.0 and a negative node end staking. A change of the reward setting begins a new period as well.
 *
 * @see HIP-406
 */
export function stakingChange(
  body: StakingMembers & { readonly declineReward: boolean | { readonly value: boolean } | null },
  at: ConsensusTimestamp,
  resolve: ResolveAlias,
): Staking {
  const stakePeriodStart = dayStart(at);
  if (body.stakedId === 'stakedAccountId') {
    return { stakedAccount: accountId(body.stakedAccountId, resolve), stakedNode: null, stakePeriodStart };
  }
  if (body.stakedId === 'stakedNodeId') {
    const node = toBigInt(body.stakedNodeId);
    return { stakedAccount: null, stakedNode: node < 0n ? null : node, stakePeriodStart };
  }
  const isRewardUpdate = typeof body.declineReward === 'object' && body.declineReward !== null;
  return isRewardUpdate ? { stakePeriodStart } : {};
}

/**
 * A paid reward covers the days before yesterday's end, so the next one counts from yesterday.
 *
 * @see contracts/mirror-entities.md section 11.8
 */
export function rewardPeriods(
  { consensusTimestamp: at, record }: DecodedItem,
  resolve: ResolveAlias,
): readonly EntityChange[] {
  return record.paidStakingRewards.flatMap(({ accountID }) => {
    const entity = accountId(accountID, resolve);
    const stakePeriodStart = consensusTimestamp(dayStart(at) - DAY_NANOS);
    return entity === null ? [] : [{ entity, changedTimestamp: at, stakePeriodStart, isRewardPeriod: true }];
  });
}

function dayStart(at: bigint): ConsensusTimestamp {
  return consensusTimestamp(at - (at % DAY_NANOS));
}
