import type { AssessedCustomFee, HbarTransfer, NftTransfer, TokenTransfer } from '../../ledger/rows.ts';
import type { AccountAmount } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import type { DecodedItem } from './decoded-item.ts';
import { accountId, type ResolveAlias, requiredId, tokenId } from './ledger-ids.ts';

/**
 * Every entry of the record's transfer list, also of failed transactions.
 *
 * @see contracts/streams.md section 6, row transfers
 */
export function hbarTransfers({ body, record }: DecodedItem, resolve: ResolveAlias): readonly HbarTransfer[] {
  const approved = new Set(
    approvedEntries(body.cryptoTransfer?.transfers?.accountAmounts ?? [], resolve).map(
      ({ account, amount }) => `${account}:${amount}`,
    ),
  );
  return (record.transferList?.accountAmounts ?? []).map((entry) => {
    const account = requiredId(accountId(entry.accountID, resolve), 'a transfer');
    const amount = toBigInt(entry.amount);
    return { account, amount, isApproval: amount < 0n && approved.has(`${account}:${amount}`) };
  });
}

/** Fungible token transfers; the caller decides whether they count. */
export function tokenTransfers(
  { body, record }: DecodedItem,
  resolve: ResolveAlias,
): readonly TokenTransfer[] {
  const exact = new Map<string, boolean>();
  const anyApproved = new Set<string>();
  for (const list of body.cryptoTransfer?.tokenTransfers ?? []) {
    const token = tokenId(list.token);
    for (const entry of list.transfers) {
      const account = accountId(entry.accountID, resolve);
      exact.set(`${token}:${account}:${toBigInt(entry.amount)}`, entry.isApproval);
      if (entry.isApproval) anyApproved.add(`${token}:${account}`);
    }
  }
  return record.tokenTransferLists.flatMap((list) => {
    const token = requiredId(tokenId(list.token), 'a token transfer');
    return list.transfers.map((entry) => {
      const account = requiredId(accountId(entry.accountID, resolve), 'a token transfer');
      const amount = toBigInt(entry.amount);
      const approval = exact.get(`${token}:${account}:${amount}`) ?? anyApproved.has(`${token}:${account}`);
      return { token, account, amount, isApproval: amount < 0n && approval };
    });
  });
}

/** NFT transfers in record order; the caller decides whether they count. */
export function nftTransfers({ body, record }: DecodedItem, resolve: ResolveAlias): readonly NftTransfer[] {
  const approved = new Set<string>();
  for (const list of body.cryptoTransfer?.tokenTransfers ?? []) {
    for (const entry of list.nftTransfers) {
      const sender = accountId(entry.senderAccountID, resolve);
      if (entry.isApproval) approved.add(`${tokenId(list.token)}:${toBigInt(entry.serialNumber)}:${sender}`);
    }
  }
  return record.tokenTransferLists.flatMap((list) => {
    const token = requiredId(tokenId(list.token), 'an NFT transfer');
    return list.nftTransfers.map((entry) => {
      const sender = accountId(entry.senderAccountID, resolve);
      const serial = toBigInt(entry.serialNumber);
      return {
        token,
        sender,
        receiver: accountId(entry.receiverAccountID, resolve),
        serial,
        isApproval: approved.has(`${token}:${serial}:${sender}`),
      };
    });
  });
}

/** Rewards paid by the way, always taken from the record. */
export function stakingRewards({ record }: DecodedItem, resolve: ResolveAlias) {
  return record.paidStakingRewards.map((entry) => ({
    account: requiredId(accountId(entry.accountID, resolve), 'a staking reward'),
    amount: toBigInt(entry.amount),
  }));
}

/** Custom fees that the network charged; the caller decides whether they count. */
export function assessedCustomFees(
  { record }: DecodedItem,
  resolve: ResolveAlias,
): readonly AssessedCustomFee[] {
  return record.assessedCustomFees.map((fee) => ({
    amount: toBigInt(fee.amount),
    collector: requiredId(accountId(fee.feeCollectorAccountId, resolve), 'a custom fee'),
    token: tokenId(fee.tokenId),
    effectivePayers: fee.effectivePayerAccountId.flatMap((payer) => accountId(payer, resolve) ?? []),
  }));
}

function approvedEntries(entries: readonly AccountAmount[], resolve: ResolveAlias) {
  return entries
    .filter(({ isApproval }) => isApproval)
    .map((entry) => ({ account: accountId(entry.accountID, resolve), amount: toBigInt(entry.amount) }));
}
