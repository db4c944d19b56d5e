import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, tokenId } from '../../items/ledger-ids.ts';
import { hasTokenEvents } from './token-events.ts';

/** What the logs of a unit ask the addresses of, as far as it is named by a number: contracts, tokens and their parties. */
export function addressedEntities(items: readonly DecodedItem[]): ReadonlySet<EntityId> {
  const entities = new Set<EntityId>();
  const add = (entity: EntityId | null): void => {
    if (entity !== null) entities.add(entity);
  };
  for (const item of items) {
    const { body, record } = item;
    const result = record.contractCreateResult ?? record.contractCallResult;
    for (const { contractID } of result?.logInfo ?? []) add(contractId(contractID));
    if (!hasTokenEvents(item)) continue;
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
  return entities;
}
