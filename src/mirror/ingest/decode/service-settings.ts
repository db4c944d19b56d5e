import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import type { AccountId, RenewalMembers, Timestamp } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

/** Field numbers of the admin keys. */
const ADMIN_KEY = { tokenCreation: 6, tokenUpdate: 5, scheduleCreate: 3 };

/**
 * What a transaction sets of a token, topic or schedule; null for every other type.
 *
 * The keys of topics are no settings: they lie with the topic.
 *
 * @see contracts/mirror-entities.md section 11.3
 */
export function serviceSettings(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  switch (item.type) {
    case TYPE.TOKENCREATION:
      return newToken(item, resolve);
    case TYPE.TOKENUPDATE:
      return updatedToken(item, resolve);
    case TYPE.TOKENDELETION:
      return { type: 'TOKEN', isDeleted: true };
    case TYPE.CONSENSUSCREATETOPIC:
      return newTopic(item, resolve);
    case TYPE.CONSENSUSUPDATETOPIC:
      return updatedTopic(item, resolve);
    case TYPE.CONSENSUSDELETETOPIC:
      return { type: 'TOPIC', isDeleted: true };
    case TYPE.SCHEDULECREATE:
      return {
        type: 'SCHEDULE',
        isDeleted: false,
        key: keyOf(item, ADMIN_KEY.scheduleCreate),
        memo: item.body.scheduleCreate?.memo ?? '',
      };
    case TYPE.SCHEDULEDELETE:
      return { type: 'SCHEDULE', isDeleted: true };
    default:
      return null;
  }
}

function newToken(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  const body = item.body.tokenCreation;
  if (body === null) return null;
  return {
    ...newService('TOKEN', body, resolve),
    key: keyOf(item, ADMIN_KEY.tokenCreation),
    ...given('expiryTimestamp', timestampOf(body.expiry)),
  };
}

function updatedToken(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  const body = item.body.tokenUpdate;
  if (body === null) return null;
  const settings = updatedService('TOKEN', body, body.expiry, resolve);
  return { ...settings, ...given('key', keyOf(item, ADMIN_KEY.tokenUpdate)) };
}

function newTopic({ body }: DecodedItem, resolve: ResolveAlias): Settings | null {
  return body.consensusCreateTopic && newService('TOPIC', body.consensusCreateTopic, resolve);
}

function updatedTopic({ body: { consensusUpdateTopic: body } }: DecodedItem, resolve: ResolveAlias) {
  return body && updatedService('TOPIC', body, body.expirationTime, resolve);
}

function newService(
  type: 'TOKEN' | 'TOPIC',
  { autoRenewAccount, autoRenewPeriod, memo }: RenewalMembers & { readonly memo: string },
  resolve: ResolveAlias,
): Settings {
  return {
    type,
    isDeleted: false,
    memo,
    autoRenewAccount: accountId(autoRenewAccount, resolve),
    autoRenewPeriod: seconds(autoRenewPeriod),
  };
}

/** Absent members leave it as it is. */
function updatedService(
  type: 'TOKEN' | 'TOPIC',
  body: RenewalMembers & { readonly memo: { readonly value: string } | null },
  expiry: Timestamp | null,
  resolve: ResolveAlias,
): Settings {
  return {
    type,
    isDeleted: false,
    ...given('memo', body.memo?.value),
    ...given('autoRenewPeriod', seconds(body.autoRenewPeriod)),
    ...given('expiryTimestamp', timestampOf(expiry)),
    ...renewalAccount(body.autoRenewAccount, resolve),
  };
}

/** What a transaction sets of an entity, without saying which and when. */
export type Settings = Omit<EntityChange, 'entity' | 'changedTimestamp'>;

/** The member when there is a value; nothing otherwise. */
export function given<N extends keyof Settings>(
  name: N,
  value: Settings[N] | null | undefined,
): Pick<Settings, N> {
  return (value === null || value === undefined ? {} : { [name]: value }) as Pick<Settings, N>;
}

/** The original bytes of the key in a field of the transaction's own part of the body; null when there is none. */
export function keyOf({ bodyBytes, type }: DecodedItem, field: number): Uint8Array | null {
  const data = rawField(bodyBytes, type);
  const key = data === null ? null : rawField(data, field);
  return key === null ? null : Uint8Array.from(key);
}

/** Who pays for the next period: 0.0.0 takes the account away, and nobody is named by an unknown alias. */
export function renewalAccount(id: AccountId | null, resolve: ResolveAlias): Settings {
  if (id === null) return {};
  const account = accountId(id, resolve);
  return account === null && id.account === 'alias' ? {} : { autoRenewAccount: account };
}

export function seconds(
  duration: { readonly seconds: Parameters<typeof toBigInt>[0] } | null,
): bigint | null {
  return duration === null ? null : toBigInt(duration.seconds);
}
