import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, tokenId } from '../../items/ledger-ids.ts';
import { hasTokenEvents } from './token-events.ts';

/** The tokens and accounts whose addresses the events of tokens ask for, as far as they are named by numbers. */
export function tokenParties(items: readonly DecodedItem[]): ReadonlySet<EntityId> {
  const parties = new Set<EntityId>();
  const add = (entity: EntityId | null): void => {
    if (entity !== null) parties.add(entity);
  };
  for (const item of items) {
    if (!hasTokenEvents(item)) continue;
    const { body, record } = item;
    for (const { nftTransfers, token, transfers } of record.tokenTransferLists) {
      add(tokenId(token));
      for (const { accountID } of transfers) add(accountId(accountID));
      for (const { receiverAccountID, senderAccountID } of nftTransfers) {
        add(accountId(senderAccountID));
        add(accountId(receiverAccountID));
      }
    }
    const { nftAllowances = [], tokenAllowances = [] } = body.cryptoApproveAllowance ?? {};
    for (const { owner, spender, tokenId: token } of [...tokenAllowances, ...nftAllowances]) {
      for (const id of [tokenId(token), accountId(owner), accountId(spender)]) add(id);
    }
    for (const { owner, tokenId: token } of body.cryptoDeleteAllowance?.nftAllowances ?? []) {
      for (const id of [tokenId(token), accountId(owner)]) add(id);
    }
    add(accountId(body.transactionID?.accountID ?? null));
  }
  return parties;
}
