import type { EntityId } from '../../../values/entity-id.ts';
import { createdContract } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';
import { rewardPeriods, stakingChange } from './staking-changes.ts';

type Settings = Omit<EntityChange, 'entity' | 'changedTimestamp'>;

/** Field numbers of the keys, which are kept as their original bytes. */
const KEY_FIELD = { cryptoCreate: 1, cryptoUpdate: 3, contract: 3 };
const EVM_ADDRESS_LENGTH = 20;

/**
 * What an item changes of accounts and contracts, in the order in which it happens: rewards and nonces always,
 * settings when the item took effect.
 *
 * @see contracts/mirror-roadmap.md, accounts and contracts; contracts/streams.md section 12
 */
export function entityChanges(
  item: DecodedItem,
  isSuccessful: boolean,
  resolve: ResolveAlias,
): readonly EntityChange[] {
  const settings = isSuccessful ? changedSettings(item, resolve) : null;
  const entity = settings === null ? null : changedEntity(item, resolve);
  return [
    ...rewardPeriods(item, resolve),
    ...(entity === null || settings === null
      ? []
      : [{ entity, changedTimestamp: item.consensusTimestamp, ...settings }]),
    ...nonces(item, resolve),
  ];
}

function changedEntity(item: DecodedItem, resolve: ResolveAlias): EntityId | null {
  // A file can be deleted by the system too.
  const system = item.body.systemDelete ?? item.body.systemUndelete;
  if (system !== null) return contractId(system.contractID, resolve);
  return createdContract(item) ?? entityOfTransaction(item, resolve);
}

function changedSettings(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  switch (item.type) {
    case TYPE.CRYPTOCREATEACCOUNT:
      return createdAccount(item, resolve);
    case TYPE.CRYPTOUPDATEACCOUNT:
      return updatedAccount(item, resolve);
    case TYPE.CRYPTODELETE:
      return { isDeleted: true };
    case TYPE.CONTRACTCREATEINSTANCE:
      return newContract(item, resolve);
    case TYPE.CONTRACTUPDATEINSTANCE:
      return updatedContract(item, resolve);
    case TYPE.CONTRACTDELETEINSTANCE:
      return deletedContract(item, resolve);
    case TYPE.SYSTEMDELETE:
      return { type: 'CONTRACT', isDeleted: true };
    case TYPE.SYSTEMUNDELETE:
      return { type: 'CONTRACT', isDeleted: false };
    default:
      return null;
  }
}

function createdAccount(item: DecodedItem, resolve: ResolveAlias): Settings | null {
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
    proxyAccount: accountId(body.proxyAccountID, resolve),
    ...stakingChange(body, at, resolve),
  };
}

function updatedAccount(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  const body = item.body.cryptoUpdateAccount;
  if (body === null) return null;
  const isReceiverSigRequired =
    body.receiverSigRequiredField === 'receiverSigRequired'
      ? body.receiverSigRequired
      : body.receiverSigRequiredWrapper?.value;
  return {
    ...commonUpdate(item, body, resolve),
    ...given('key', keyOf(item, KEY_FIELD.cryptoUpdate)),
    ...given('memo', body.memo?.value),
    ...given('isReceiverSigRequired', isReceiverSigRequired),
  };
}

function newContract(item: DecodedItem, resolve: ResolveAlias): Settings | null {
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
    proxyAccount: accountId(body.proxyAccountID, resolve),
    ...stakingChange(body, item.consensusTimestamp, resolve),
  };
}

function updatedContract(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  const body = item.body.contractUpdateInstance;
  if (body === null) return null;
  const memo = body.memoField === 'memo' ? body.memo : body.memoWrapper?.value;
  const renewal = body.autoRenewAccountId;
  return {
    type: 'CONTRACT',
    ...commonUpdate(item, body, resolve),
    ...given('key', keyOf(item, KEY_FIELD.contract)),
    ...given('memo', memo),
    // 0.0.0 takes the account away.
    ...(renewal === null ? {} : { autoRenewAccount: accountId(renewal, resolve) }),
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
): Settings {
  return {
    ...given('autoRenewPeriod', seconds(body.autoRenewPeriod)),
    ...given('expiryTimestamp', timestampOf(body.expirationTime)),
    ...given('maxAutomaticAssociations', body.maxAutomaticTokenAssociations?.value),
    ...given('declinesReward', body.declineReward?.value),
    ...(body.proxyAccountID === null ? {} : { proxyAccount: accountId(body.proxyAccountID, resolve) }),
    ...stakingChange(body, at, resolve),
  };
}

/** Nonces that the EVM counted up, also in calls that failed. */
function nonces({ record }: DecodedItem, resolve: ResolveAlias): readonly EntityChange[] {
  const result = record.contractCreateResult ?? record.contractCallResult;
  if (result === null) return [];
  const sender = result.signerNonce === null ? null : accountId(result.senderId, resolve);
  const changes: EntityChange[] = [];
  if (sender !== null && result.signerNonce !== null) {
    changes.push({ entity: sender, ethereumNonce: toBigInt(result.signerNonce.value) });
  }
  for (const { contractId: id, nonce } of result.contractNonces) {
    const entity = contractId(id, resolve);
    if (entity !== null) changes.push({ entity, ethereumNonce: toBigInt(nonce) });
  }
  return changes;
}

/** The member when there is a value; nothing otherwise. */
function given<N extends keyof Settings>(name: N, value: Settings[N] | null | undefined): Pick<Settings, N> {
  return (value === null || value === undefined ? {} : { [name]: value }) as Pick<Settings, N>;
}

function keyOf({ bodyBytes, type }: DecodedItem, field: number): Uint8Array | null {
  const data = rawField(bodyBytes, type);
  const key = data === null ? null : rawField(data, field);
  return key === null ? null : Uint8Array.from(key);
}

/** An alias is a serialized key, or an EVM address that tells none. */
function keyAlias(alias: ArrayLike<number>): Uint8Array | null {
  return alias.length === 0 || alias.length === EVM_ADDRESS_LENGTH ? null : Uint8Array.from(alias);
}

function seconds(duration: { readonly seconds: Parameters<typeof toBigInt>[0] } | null): bigint | null {
  return duration === null ? null : toBigInt(duration.seconds);
}
