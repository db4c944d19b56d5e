import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { AccountAmount, AccountId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { AllowanceChange, AllowanceGrant } from './allowances.ts';
import type { Note } from './facet.ts';

const UNKNOWN_PARTY = 'an allowance names its owner or spender by an alias that is not known: it is left out';

/**
 * Approvals and what is used of them, in the order of the items.
 *
 * Spending counts as the body asks for it: the record nets what one account gives and gets.
 *
 * @see contracts/mirror-entities.md section 11.6
 */
export function decodeAllowances(
  items: readonly DecodedItem[],
  isSuccessful: (item: DecodedItem) => boolean,
  resolveAt: (item: DecodedItem) => ResolveAlias,
  note: Note,
): readonly AllowanceChange[] {
  const changes: AllowanceChange[] = [];
  for (const item of items) {
    if (item.type === TYPE.CRYPTOTRANSFER) {
      if (!hasApproval(item)) continue;
      const succeeded = isSuccessful(item);
      const resolve = resolveAt(item);
      if (succeeded) changes.push(...hbarDebits(item, resolve, note));
      // This failure keeps its token transfers.
      if (succeeded || item.result === RESULT.FAIL_INVALID) changes.push(...tokenDebits(item, resolve, note));
    } else if (item.type === TYPE.CRYPTOAPPROVEALLOWANCE && isSuccessful(item)) {
      changes.push(...grants(item, resolveAt(item), note));
    }
  }
  return changes;
}

function hasApproval({ body: { cryptoTransfer } }: DecodedItem): boolean {
  if (cryptoTransfer === null) return false;
  const { tokenTransfers, transfers } = cryptoTransfer;
  return (
    (transfers?.accountAmounts.some(isApprovedDebit) ?? false) ||
    tokenTransfers.some((list) => list.transfers.some(isApprovedDebit))
  );
}

function isApprovedDebit({ amount, isApproval }: AccountAmount): boolean {
  return isApproval && amount.isNegative();
}

function hbarDebits(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const spender = spenderOf(item, resolve);
  const given = item.body.cryptoTransfer?.transfers?.accountAmounts ?? [];
  return given.flatMap((entry) => debit(entry, 'hbar', spender, null, item, resolve, note));
}

function tokenDebits(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const spender = spenderOf(item, resolve);
  return (item.body.cryptoTransfer?.tokenTransfers ?? []).flatMap((list) => {
    const token = tokenId(list.token);
    if (token === null) return [];
    return list.transfers.flatMap((entry) => debit(entry, 'token', spender, token, item, resolve, note));
  });
}

/** A contract spends for itself: the sender that the EVM saw, whoever pays for the call. */
function spenderOf(item: DecodedItem, resolve: ResolveAlias): EntityId | null {
  const sender = item.record.contractCallResult?.senderId ?? null;
  return sender === null ? payerOf(item, resolve) : accountId(sender, resolve);
}

function debit(
  entry: AccountAmount,
  kind: 'hbar' | 'token',
  spender: EntityId | null,
  token: EntityId | null,
  { consensusTimestamp: timestamp }: DecodedItem,
  resolve: ResolveAlias,
  note: Note,
): readonly AllowanceChange[] {
  if (!isApprovedDebit(entry)) return [];
  const owner = accountId(entry.accountID, resolve);
  if (owner === null || spender === null) {
    note(UNKNOWN_PARTY);
    return [];
  }
  return [{ is: 'debit', kind, owner, spender, token, timestamp, spent: -toBigInt(entry.amount) }];
}

/** Of several entries for one owner, spender and token the last one counts, which follows from their order. */
function grants(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const body = item.body.cryptoApproveAllowance;
  if (body === null) return [];
  const payer = payerOf(item, resolve);
  const grant = (
    kind: AllowanceGrant['kind'],
    given: { readonly owner: AccountId | null; readonly spender: AccountId | null },
    token: EntityId | null,
    amount: bigint,
  ): readonly AllowanceChange[] => {
    const owner = isEmpty(given.owner) ? payer : accountId(given.owner, resolve);
    const spender = accountId(given.spender, resolve);
    if (owner === null || spender === null) {
      note(UNKNOWN_PARTY);
      return [];
    }
    if ((token === null) !== (kind === 'hbar')) return [];
    return [
      {
        is: 'grant',
        kind,
        owner,
        spender,
        token,
        timestamp: item.consensusTimestamp,
        granted: amount,
        amount,
      },
    ];
  };
  return [
    ...body.cryptoAllowances.flatMap((each) => grant('hbar', each, null, toBigInt(each.amount))),
    ...body.tokenAllowances.flatMap((each) =>
      grant('token', each, tokenId(each.tokenId), toBigInt(each.amount)),
    ),
    ...body.nftAllowances.flatMap((each) =>
      each.approvedForAll === null
        ? []
        : grant('nft', each, tokenId(each.tokenId), each.approvedForAll.value ? 1n : 0n),
    ),
  ];
}

/** An owner that is left out; an alias that nobody has is none. */
function isEmpty(owner: AccountId | null): boolean {
  return owner === null || (owner.account !== 'alias' && accountId(owner) === null);
}

function payerOf({ body, record }: DecodedItem, resolve: ResolveAlias): EntityId | null {
  return accountId(body.transactionID?.accountID ?? record.transactionID?.accountID ?? null, resolve);
}
