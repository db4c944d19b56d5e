import { ECDH } from 'node:crypto';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { atMostInt64 } from '../../../values/int64.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import type { ContractToldBy } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import {
  accountId,
  type ResolveAlias,
  scheduleId,
  timestampOf,
  tokenId,
  topicId,
} from '../../items/ledger-ids.ts';
import type { EntityAlias, NodeChange, StakeUpdate } from '../../ledger/rows.ts';
import type { Fraction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { endpointOf } from './address-book.ts';

const EVM_ADDRESS_LENGTH = 20;
const CREATED_KIND: ReadonlyMap<number, 'SCHEDULE' | 'TOKEN' | 'TOPIC'> = new Map([
  [TYPE.TOKENCREATION, 'TOKEN'],
  [TYPE.CONSENSUSCREATETOPIC, 'TOPIC'],
  [TYPE.SCHEDULECREATE, 'SCHEDULE'],
]);

/**
 * The entity that a successful transaction created, with the addresses that name it.
 *
 * @param contractToldBy which record of the unit stands for the creation of a contract
 * @returns null when it created none.
 * @see contracts/streams.md section 12
 */
export function createdEntity(item: DecodedItem, contractToldBy: ContractToldBy): EntityAlias | null {
  const { type, body, record, consensusTimestamp } = item;
  if (type === TYPE.CRYPTOCREATEACCOUNT) {
    const entity = accountId(record.receipt?.accountID);
    if (entity === null) return null;
    const alias = bytesOrNull(record.alias) ?? bytesOrNull(body.cryptoCreateAccount?.alias ?? []);
    const evmAddress =
      bytesOrNull(record.evmAddress) ??
      (alias?.length === EVM_ADDRESS_LENGTH ? alias : addressOfAlias(alias));
    return { entity, type: 'ACCOUNT', alias, evmAddress, createdTimestamp: consensusTimestamp };
  }
  const contract = contractToldBy(item);
  if (contract === null) return createdByService(item);
  const evmAddress =
    bytesOrNull(record.contractCreateResult?.evmAddress?.value ?? []) ?? bytesOrNull(record.evmAddress);
  return {
    entity: contract,
    type: 'CONTRACT',
    alias: null,
    evmAddress,
    createdTimestamp: consensusTimestamp,
  };
}

function createdByService({ type, record, consensusTimestamp }: DecodedItem): EntityAlias | null {
  const kind = CREATED_KIND.get(type);
  const { receipt } = record;
  if (kind === undefined || receipt === null) return null;
  const ids = {
    TOKEN: tokenId(receipt.tokenID),
    TOPIC: topicId(receipt.topicID),
    SCHEDULE: scheduleId(receipt.scheduleID),
  };
  const entity = ids[kind];
  if (entity === null) return null;
  return { entity, type: kind, alias: null, evmAddress: null, createdTimestamp: consensusTimestamp };
}

/** Records of versions before EVM addresses name the alias alone. */
function addressOfAlias(alias: Uint8Array | null): Uint8Array | null {
  return alias === null ? null : addressOfKey(alias);
}

function bytesOrNull(bytes: ArrayLike<number>): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}

const ECDSA_FIELD = 7;
const COMPRESSED_LENGTH = 33;
const ADDRESS_LENGTH = 20;

/**
 * The EVM address of a serialized ECDSA key, which an account has whose alias is that key.
 *
 * @returns null for keys of other kinds, for bytes that are no key, and for a point that is not on the curve.
 */
export function addressOfKey(key: Uint8Array): Uint8Array | null {
  try {
    const point = rawField(key, ECDSA_FIELD);
    if (point?.length !== COMPRESSED_LENGTH) return null;
    const [, ...coordinates] = ECDH.convertKey(
      point,
      'secp256k1',
      undefined,
      undefined,
      'uncompressed',
    ) as Buffer;
    return keccak256(Uint8Array.from(coordinates)).slice(-ADDRESS_LENGTH);
  } catch {
    return null;
  }
}

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
    stakeTotal: atMostInt64(
      nodes.reduce((sum, node) => sum + node.stakeRewarded + node.stakeNotRewarded, 0n),
    ),
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
