import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import type { NodeChange, StakeUpdate } from '../../ledger/rows.ts';
import type { Fraction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { endpointOf } from './address-book.ts';

/** Field numbers of the admin key, which is kept as its original bytes. */
const ADMIN_KEY = { nodeCreate: 7, nodeUpdate: 8 };

/**
 * The change that a successful NODECREATE, NODEUPDATE or NODEDELETE makes.
 *
 * @returns null for other types.
 * @see contracts/streams.md section 12
 */
export function nodeChange(decoded: DecodedItem, resolve: ResolveAlias): NodeChange | null {
  const { body, record, consensusTimestamp: at } = decoded;
  const created = body.nodeCreate;
  if (created !== null) {
    return {
      nodeId: toBigInt(record.receipt?.nodeId ?? 0),
      consensusTimestamp: at,
      createdTimestamp: at,
      account: accountId(created.accountId, resolve),
      adminKey: adminKey(decoded, ADMIN_KEY.nodeCreate),
      declineReward: created.declineReward,
      grpcProxyEndpoint: created.grpcProxyEndpoint === null ? null : endpointOf(created.grpcProxyEndpoint),
      associatedRegisteredNodes: created.associatedRegisteredNode.map(toBigInt),
      deleted: false,
    };
  }
  const updated = body.nodeUpdate;
  if (updated !== null) {
    const account = accountId(updated.accountId, resolve);
    const key = adminKey(decoded, ADMIN_KEY.nodeUpdate);
    const registered = updated.associatedRegisteredNodeList?.associatedRegisteredNode;
    return {
      nodeId: toBigInt(updated.nodeId),
      consensusTimestamp: at,
      // The network itself moved the node from its address book into the state.
      ...((body.transactionID?.nonce ?? 0) > 0 ? { createdTimestamp: at } : {}),
      ...(account === null ? {} : { account }),
      ...(key === null ? {} : { adminKey: key }),
      ...(updated.declineReward === null ? {} : { declineReward: updated.declineReward.value }),
      ...(updated.grpcProxyEndpoint === null
        ? {}
        : { grpcProxyEndpoint: endpointOf(updated.grpcProxyEndpoint) }),
      ...(registered === undefined ? {} : { associatedRegisteredNodes: registered.map(toBigInt) }),
    };
  }
  if (body.nodeDelete === null) return null;
  return { nodeId: toBigInt(body.nodeDelete.nodeId), consensusTimestamp: at, deleted: true };
}

/**
 * The stakes that a successful NODESTAKEUPDATE sets; null for other types.
 *
 * @see contracts/streams.md section 12
 */
export function stakeUpdate({ type, body, consensusTimestamp: at }: DecodedItem): StakeUpdate | null {
  const update = body.nodeStakeUpdate;
  if (type !== TYPE.NODESTAKEUPDATE || update === null) return null;
  const nodes = update.nodeStake.map((node) => ({
    nodeId: toBigInt(node.nodeId),
    maxStake: toBigInt(node.maxStake),
    minStake: toBigInt(node.minStake),
    rewardRate: toBigInt(node.rewardRate),
    stake: toBigInt(node.stake),
    stakeNotRewarded: toBigInt(node.stakeNotRewarded),
    stakeRewarded: toBigInt(node.stakeRewarded),
  }));
  return {
    consensusTimestamp: at,
    stakingPeriodEnd: timestampOf(update.endOfStakingPeriod) ?? consensusTimestamp(0n),
    maxStakeRewarded: toBigInt(update.maxStakeRewarded),
    maxStakingRewardRatePerHbar: toBigInt(update.maxStakingRewardRatePerHbar),
    maxTotalReward: toBigInt(update.maxTotalReward),
    ...feeFraction('nodeRewardFee', update.nodeRewardFeeFraction),
    ...feeFraction('stakingRewardFee', update.stakingRewardFeeFraction),
    reservedStakingRewards: toBigInt(update.reservedStakingRewards),
    rewardBalanceThreshold: toBigInt(update.rewardBalanceThreshold),
    stakeTotal: nodes.reduce((sum, node) => sum + node.stakeRewarded + node.stakeNotRewarded, 0n),
    stakingPeriodDuration: toBigInt(update.stakingPeriod),
    stakingPeriodsStored: toBigInt(update.stakingPeriodsStored),
    stakingRewardRate: toBigInt(update.stakingRewardRate),
    stakingStartThreshold: toBigInt(update.stakingStartThreshold),
    unreservedStakingRewardBalance: toBigInt(update.unreservedStakingRewardBalance),
    nodes,
  };
}

function feeFraction<N extends 'nodeRewardFee' | 'stakingRewardFee'>(name: N, fraction: Fraction | null) {
  return {
    [`${name}Numerator`]: toBigInt(fraction?.numerator ?? 0),
    [`${name}Denominator`]: toBigInt(fraction?.denominator ?? 0),
  } as Record<`${N}Numerator` | `${N}Denominator`, bigint>;
}

function adminKey({ bodyBytes, type }: DecodedItem, field: number): Uint8Array | null {
  const data = rawField(bodyBytes, type);
  return data === null ? null : rawField(data, field);
}
