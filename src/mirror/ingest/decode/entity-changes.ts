import {
  type ConsensusTimestamp,
  consensusTimestamp,
  NANOS_PER_SECOND,
} from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { contractsBeside, createdContract } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import type { NetworkVersion } from '../../items/network-version.ts';
import { delegationNonce } from '../../items/own-members.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import type { ContractFunctionResult, StakingMembers } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { isSuccess, RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';
import { given, keyOf, renewalAccount, type Settings, seconds, serviceSettings } from './service-settings.ts';

/** Field numbers of the keys, which are kept as their original bytes. */
const KEY_FIELD = { cryptoCreate: 1, cryptoUpdate: 3, contract: 3 };
/** An alias that is longer is a serialized key. */
const EVM_ADDRESS_LENGTH = 20;

/**
 * What an item changes of entities, in the order in which it happens: settings when the item took effect, rewards and
 * nonces always.
 *
 * @param version of the network's API
 * @see contracts/mirror-entities.md sections 11.1 and 11.3
 */
export function entityChanges(
  item: DecodedItem,
  isSuccessful: boolean,
  resolve: ResolveAlias,
  version: NetworkVersion,
): readonly EntityChange[] {
  const settings = isSuccessful ? changedSettings(item, resolve, version) : null;
  const entity = settings === null ? null : changedEntity(item, resolve);
  return [
    ...(entity === null || settings === null
      ? []
      : [{ entity, changedTimestamp: item.consensusTimestamp, ...settings }]),
    ...(isSuccessful && version.isBefore(0, 23) ? listedContracts(item, resolve, version) : []),
    ...rewardPeriods(item, resolve),
    ...evmNonces(item, resolve, version),
  ];
}

function changedEntity(item: DecodedItem, resolve: ResolveAlias): EntityId | null {
  // A file can be deleted by the system too.
  const system = item.body.systemDelete ?? item.body.systemUndelete;
  if (system !== null) return contractId(system.contractID, resolve);
  return createdContract(item) ?? entityOfTransaction(item, resolve);
}

function changedSettings(item: DecodedItem, resolve: ResolveAlias, version: NetworkVersion): Settings | null {
  switch (item.type) {
    case TYPE.CRYPTOCREATEACCOUNT:
      return createdAccount(item, resolve, version);
    case TYPE.CRYPTOUPDATEACCOUNT:
      return updatedAccount(item, resolve, version);
    case TYPE.CRYPTODELETE:
      return {
        isDeleted: true,
        obtainer: accountId(item.body.cryptoDelete?.transferAccountID, resolve),
      };
    case TYPE.CONTRACTCREATEINSTANCE:
      return newContract(item, resolve, version);
    case TYPE.CONTRACTUPDATEINSTANCE:
      return updatedContract(item, resolve, version);
    case TYPE.CONTRACTDELETEINSTANCE:
      return deletedContract(item, resolve);
    case TYPE.SYSTEMDELETE:
      return { type: 'CONTRACT', isDeleted: true };
    case TYPE.SYSTEMUNDELETE:
      return { type: 'CONTRACT', isDeleted: false };
    default:
      return serviceSettings(item, resolve);
  }
}

function createdAccount(item: DecodedItem, resolve: ResolveAlias, version: NetworkVersion): Settings | null {
  const { consensusTimestamp: at, record } = item;
  const body = item.body.cryptoCreateAccount;
  if (body === null) return null;
  return {
    type: 'ACCOUNT',
    key: keyOf(item, KEY_FIELD.cryptoCreate) ?? keyAlias(record.alias) ?? keyAlias(body.alias),
    memo: body.memo,
    autoRenewPeriod: seconds(body.autoRenewPeriod),
    isReceiverSigRequired: body.receiverSigRequired,
    maxAutomaticAssociations: body.maxAutomaticTokenAssociations,
    declinesReward: body.declineReward,
    ethereumNonce: 0n,
    isDeleted: false,
    proxyAccount: accountId(body.proxyAccountID, resolve),
    ...given('delegationAddress', bytesOrNull(body.delegationAddress)),
    ...staking(body, at, resolve, version),
  };
}

function updatedAccount(item: DecodedItem, resolve: ResolveAlias, version: NetworkVersion): Settings | null {
  const body = item.body.cryptoUpdateAccount;
  if (body === null) return null;
  const isReceiverSigRequired =
    body.receiverSigRequiredField === 'receiverSigRequired'
      ? body.receiverSigRequired
      : body.receiverSigRequiredWrapper?.value;
  return {
    ...commonUpdate(item, body, resolve, version),
    ...given('key', keyOf(item, KEY_FIELD.cryptoUpdate)),
    ...given('memo', body.memo?.value),
    ...given('isReceiverSigRequired', isReceiverSigRequired),
    ...given('delegationAddress', bytesOrNull(body.delegationAddress)),
  };
}

function newContract(item: DecodedItem, resolve: ResolveAlias, version: NetworkVersion): Settings | null {
  const body = item.body.contractCreateInstance;
  if (body === null) return null;
  return {
    type: 'CONTRACT',
    key: keyOf(item, KEY_FIELD.contract),
    memo: body.memo,
    autoRenewPeriod: seconds(body.autoRenewPeriod),
    autoRenewAccount: accountId(body.autoRenewAccountId, resolve),
    maxAutomaticAssociations: body.maxAutomaticTokenAssociations,
    declinesReward: body.declineReward,
    isDeleted: false,
    proxyAccount: accountId(body.proxyAccountID, resolve),
    ...staking(body, item.consensusTimestamp, resolve, version),
  };
}

/** Contracts that have no record of their own are as the transaction says of the one that it creates. */
function listedContracts(
  item: DecodedItem,
  resolve: ResolveAlias,
  version: NetworkVersion,
): readonly EntityChange[] {
  const settings = newContract(item, resolve, version) ?? { type: 'CONTRACT', memo: '' };
  const changedTimestamp = item.consensusTimestamp;
  return contractsBeside(item).map((entity) => ({ entity, changedTimestamp, ...settings }));
}

function updatedContract(item: DecodedItem, resolve: ResolveAlias, version: NetworkVersion): Settings | null {
  const body = item.body.contractUpdateInstance;
  if (body === null) return null;
  // The old form of a memo cannot be told from none when it is empty.
  const memo = body.memoField === 'memo' ? body.memo || null : body.memoWrapper?.value;
  return {
    type: 'CONTRACT',
    ...commonUpdate(item, body, resolve, version),
    ...given('key', keyOf(item, KEY_FIELD.contract)),
    ...given('memo', memo),
    ...renewalAccount(body.autoRenewAccountId, resolve),
  };
}

function deletedContract({ body }: DecodedItem, resolve: ResolveAlias): Settings | null {
  const deletion = body.contractDeleteInstance;
  if (deletion === null) return null;
  const obtainer =
    deletion.obtainers === 'transferContractID'
      ? contractId(deletion.transferContractID, resolve)
      : accountId(deletion.transferAccountID, resolve);
  return {
    type: 'CONTRACT',
    isDeleted: true,
    isPermanentRemoval: deletion.permanentRemoval,
    obtainer,
  };
}

type UpdateBody =
  | NonNullable<DecodedItem['body']['cryptoUpdateAccount']>
  | NonNullable<DecodedItem['body']['contractUpdateInstance']>;

/** What updates of accounts and of contracts have in common; absent members change nothing. */
function commonUpdate(
  { consensusTimestamp: at }: DecodedItem,
  body: UpdateBody,
  resolve: ResolveAlias,
  version: NetworkVersion,
): Settings {
  return {
    isDeleted: false,
    ...given('autoRenewPeriod', seconds(body.autoRenewPeriod)),
    ...given('expiryTimestamp', timestampOf(body.expirationTime)),
    ...given('maxAutomaticAssociations', body.maxAutomaticTokenAssociations?.value),
    ...given('declinesReward', body.declineReward?.value),
    ...(body.proxyAccountID === null ? {} : { proxyAccount: accountId(body.proxyAccountID, resolve) }),
    ...staking(body, at, resolve, version),
  };
}

/** Before networks knew staking its members meant nothing. */
function staking(
  body: Parameters<typeof stakingChange>[0],
  at: ConsensusTimestamp,
  resolve: ResolveAlias,
  version: NetworkVersion,
): Settings {
  return version.isBefore(0, 27) ? {} : stakingChange(body, at, resolve);
}

/** An alias is a serialized key, or an EVM address that tells none. */
function keyAlias(alias: ArrayLike<number>): Uint8Array | null {
  return alias.length <= EVM_ADDRESS_LENGTH ? null : Uint8Array.from(alias);
}

function bytesOrNull(bytes: ArrayLike<number>): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}

/** Results that are no success and count the nonce all the same. */
const COUNTED: ReadonlySet<number> = new Set([
  RESULT.CONTRACT_REVERT_EXECUTED,
  RESULT.MAX_CHILD_RECORDS_EXCEEDED,
]);

/**
 * Nonces that the EVM counted up, also in calls that failed, and those of accounts that got a delegation.
 *
 * @see contracts/mirror-entities.md section 11.3, ETHEREUMTRANSACTION
 */
function evmNonces(
  item: DecodedItem,
  resolve: ResolveAlias,
  version: NetworkVersion,
): readonly EntityChange[] {
  const { record } = item;
  const result = record.contractCreateResult ?? record.contractCallResult;
  const changes = [...delegationNonces(item, resolve)];
  if (result === null) return changes;
  const ethereumNonce = signerNonce(item, result, version);
  const sender = ethereumNonce === null ? null : accountId(result.senderId, resolve);
  if (sender !== null && ethereumNonce !== null) changes.push({ entity: sender, ethereumNonce });
  for (const { contractId: id, nonce } of result.contractNonces) {
    const entity = contractId(id, resolve);
    if (entity !== null) changes.push({ entity, ethereumNonce: toBigInt(nonce) });
  }
  return changes;
}

function delegationNonces(item: DecodedItem, resolve: ResolveAlias): readonly EntityChange[] {
  const ethereumNonce = item.type === TYPE.CRYPTOUPDATEACCOUNT ? delegationNonce(item) : null;
  const entity = ethereumNonce === null ? null : entityOfTransaction(item, resolve);
  return entity === null || ethereumNonce === null ? [] : [{ entity, ethereumNonce }];
}

/** Records of early networks do not tell it: there it is the one that was used, and one more. */
function signerNonce(
  { body, result: status, type }: DecodedItem,
  result: ContractFunctionResult,
  version: NetworkVersion,
): bigint | null {
  if (result.signerNonce !== null) return toBigInt(result.signerNonce.value);
  if (type !== TYPE.ETHEREUMTRANSACTION || !version.isBefore(0, 47)) return null;
  if (!isSuccess(status) && !COUNTED.has(status)) return null;
  const sent = decodeEthereumTransaction(body.ethereumTransaction?.ethereumData ?? new Uint8Array());
  return sent === null ? null : BigInt.asIntN(64, sent.nonce + 1n);
}

type Staking = Pick<EntityChange, 'stakedAccount' | 'stakedNode' | 'stakePeriodStart'>;

const DAY_NANOS = 86_400n * NANOS_PER_SECOND;

/**
 * Where an account or contract stakes from now on; nothing when the body does not say.
 *
 * Account 0.0.0 and a negative node end staking. A change of the reward setting begins a new period as well.
 *
 * @see HIP-406
 */
function stakingChange(
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
function rewardPeriods(
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
