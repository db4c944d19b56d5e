import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { contractsBeside, createdContract } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import type { NetworkVersion } from '../../items/network-version.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';
import { evmNonces } from './evm-nonces.ts';
import { serviceSettings } from './service-settings.ts';
import { given, keyOf, renewalAccount, type Settings, seconds } from './setting-members.ts';
import { rewardPeriods, stakingChange } from './staking-changes.ts';

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
        obtainer: accountId(item.body.cryptoDelete?.transferAccountID ?? null, resolve),
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
