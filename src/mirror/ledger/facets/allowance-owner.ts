import type { EntityId } from '../../../values/entity-id.ts';
import { accountId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { AccountId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';

/** The owner in an allowance: one that is not named, or named as 0.0.0, is the payer. */
export function ownerOf(
  owner: AccountId | null,
  payer: AccountId | null,
  resolve: ResolveAlias,
): EntityId | null {
  const isNamed = owner !== null && (owner.account === 'alias' || toBigInt(owner.accountNum) !== 0n);
  return accountId(isNamed ? owner : payer, resolve);
}
