import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, timestampOf } from '../../items/ledger-ids.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { given, keyOf, renewalAccount, type Settings, seconds } from './setting-members.ts';

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
    type: 'TOKEN',
    isDeleted: false,
    key: keyOf(item, ADMIN_KEY.tokenCreation),
    memo: body.memo,
    autoRenewAccount: accountId(body.autoRenewAccount, resolve),
    autoRenewPeriod: seconds(body.autoRenewPeriod),
    ...given('expiryTimestamp', timestampOf(body.expiry)),
  };
}

function updatedToken(item: DecodedItem, resolve: ResolveAlias): Settings | null {
  const body = item.body.tokenUpdate;
  if (body === null) return null;
  return {
    type: 'TOKEN',
    isDeleted: false,
    ...given('key', keyOf(item, ADMIN_KEY.tokenUpdate)),
    ...given('memo', body.memo?.value),
    ...given('autoRenewPeriod', seconds(body.autoRenewPeriod)),
    ...given('expiryTimestamp', timestampOf(body.expiry)),
    ...renewalAccount(body.autoRenewAccount, resolve),
  };
}

function newTopic(
  { body: { consensusCreateTopic: body } }: DecodedItem,
  resolve: ResolveAlias,
): Settings | null {
  if (body === null) return null;
  return {
    type: 'TOPIC',
    isDeleted: false,
    memo: body.memo,
    autoRenewAccount: accountId(body.autoRenewAccount, resolve),
    autoRenewPeriod: seconds(body.autoRenewPeriod),
  };
}

function updatedTopic(
  { body: { consensusUpdateTopic: body } }: DecodedItem,
  resolve: ResolveAlias,
): Settings | null {
  if (body === null) return null;
  return {
    type: 'TOPIC',
    isDeleted: false,
    ...given('memo', body.memo?.value),
    ...given('autoRenewPeriod', seconds(body.autoRenewPeriod)),
    ...given('expiryTimestamp', timestampOf(body.expirationTime)),
    ...renewalAccount(body.autoRenewAccount, resolve),
  };
}
