import type { EntityId } from '../../../values/entity-id.ts';
import type { EVENT } from '../../evm/log-topics.ts';
import { type DecodedItem, isOfFuture } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { CryptoApproveAllowanceBody, TokenTransferList } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { ownerOf } from './allowance-owner.ts';

/** What happened to a token, as its contract would have logged it. */
export interface TokenEvent {
  readonly token: EntityId;
  readonly event: keyof typeof EVENT;
  /** Null for nobody: the sender of what was minted. */
  readonly from: EntityId | null;
  readonly to: EntityId | null;
  /** Of an NFT; null for fungible tokens and for all NFTs of an owner. */
  readonly serial: bigint | null;
  /** How much, or whether all are approved; null with a serial number. */
  readonly amount: bigint | boolean | null;
}

const NO_EVENTS: readonly TokenEvent[] = [];

/**
 * What a successful transaction did with tokens: in its record what it moved, in its body what it approved.
 *
 * @see contracts/mirror-contracts.md section 11.6
 */
export function tokenEvents(item: DecodedItem, resolve: ResolveAlias): readonly TokenEvent[] {
  if (!hasTokenEvents(item)) return NO_EVENTS;
  const { cryptoApproveAllowance, cryptoDeleteAllowance, transactionID } = item.body;
  const payer = transactionID?.accountID ?? null;
  const events = item.record.tokenTransferLists.flatMap((list) => moves(item.type, list, resolve));
  if (cryptoApproveAllowance !== null) {
    const owner = (given: Parameters<typeof ownerOf>[0]) => ownerOf(given, payer, resolve);
    events.push(...approvals(cryptoApproveAllowance, owner, resolve));
  }
  for (const entry of cryptoDeleteAllowance?.nftAllowances ?? []) {
    const token = tokenId(entry.tokenId);
    const from = ownerOf(entry.owner, payer, resolve);
    if (token === null || from === null) continue;
    for (const serial of entry.serialNumbers) {
      const each = { token, event: 'approval', from, to: null, amount: null } as const;
      events.push({ ...each, serial: toBigInt(serial) });
    }
  }
  return events;
}

/** Most transactions have none, and are done with at once. */
export function hasTokenEvents({ body, record, type }: DecodedItem): boolean {
  return (
    (record.tokenTransferLists.length > 0 && !isOfFuture(type)) ||
    body.cryptoApproveAllowance !== null ||
    body.cryptoDeleteAllowance !== null
  );
}

function moves(type: number, list: TokenTransferList, resolve: ResolveAlias): readonly TokenEvent[] {
  const token = tokenId(list.token);
  if (token === null) return NO_EVENTS;
  const entries: FungibleEntry[] = [];
  for (const { accountID, amount } of list.transfers) {
    const account = accountId(accountID, resolve);
    if (account !== null) entries.push({ account, amount: toBigInt(amount) });
  }
  return [
    ...fungibleMoves(type, entries).map(
      (move): TokenEvent => ({ token, event: 'transfer', serial: null, ...move }),
    ),
    ...list.nftTransfers.map(
      ({ receiverAccountID, senderAccountID, serialNumber }): TokenEvent => ({
        token,
        event: 'transfer',
        from: accountId(senderAccountID, resolve),
        to: accountId(receiverAccountID, resolve),
        serial: toBigInt(serialNumber),
        amount: null,
      }),
    ),
  ];
}

function approvals(
  { nftAllowances, tokenAllowances }: CryptoApproveAllowanceBody,
  ownerOf: (given: CryptoApproveAllowanceBody['tokenAllowances'][number]['owner']) => EntityId | null,
  resolve: ResolveAlias,
): readonly TokenEvent[] {
  const events: TokenEvent[] = [];
  for (const entry of [...tokenAllowances, ...nftAllowances]) {
    const token = tokenId(entry.tokenId);
    const [from, to] = [ownerOf(entry.owner), accountId(entry.spender, resolve)];
    if (token === null || from === null || to === null) continue;
    const approval = { token, event: 'approval', from, to, serial: null, amount: null } as const;
    if ('amount' in entry) {
      events.push({ ...approval, amount: toBigInt(entry.amount) });
      continue;
    }
    for (const serial of entry.serialNumbers) events.push({ ...approval, serial: toBigInt(serial) });
    const { approvedForAll } = entry;
    if (approvedForAll !== null) {
      events.push({ ...approval, event: 'approvalForAll', amount: approvedForAll.value });
    }
  }
  return events;
}

/** An amount that went from one account to another; null for where it came from, or was destroyed. */
interface FungibleMove {
  readonly from: EntityId | null;
  readonly to: EntityId | null;
  readonly amount: bigint;
}

/** What an account got of a token, or gave when it is negative. */
export interface FungibleEntry {
  readonly account: EntityId;
  readonly amount: bigint;
}

const CREATES: ReadonlySet<number> = new Set([TYPE.TOKENCREATION, TYPE.TOKENMINT]);
const DESTROYS: ReadonlySet<number> = new Set([TYPE.TOKENBURN, TYPE.TOKENWIPE]);

/**
 * Who sent what to whom, of the entries that a record has of one token.
 *
 * Of more than two entries the largest sender gives to the largest receiver, until both have what they are due; entries
 * that do not balance tell nobody.
 *
 * @param type of the transaction
 * @see contracts/mirror-contracts.md section 11.6
 */
export function fungibleMoves(type: number, entries: readonly FungibleEntry[]): readonly FungibleMove[] {
  if (CREATES.has(type)) {
    return entries
      .filter(({ amount }) => amount > 0n)
      .map(({ account, amount }) => ({ from: null, to: account, amount }));
  }
  if (DESTROYS.has(type)) {
    return entries
      .filter(({ amount }) => amount < 0n)
      .map(({ account, amount }) => ({ from: account, to: null, amount: -amount }));
  }
  const [first, second] = entries;
  if (entries.length !== 2 || first === undefined || second === undefined) return pairedOff(entries);
  return first.amount > 0n
    ? [{ from: second.account, to: first.account, amount: first.amount }]
    : [{ from: first.account, to: second.account, amount: -first.amount }];
}

function pairedOff(entries: readonly FungibleEntry[]): readonly FungibleMove[] {
  const moves: FungibleMove[] = [];
  if (entries.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) return moves;
  const senders = largestFirst(entries.filter(({ amount }) => amount < 0n));
  const receivers = largestFirst(entries.filter(({ amount }) => amount > 0n));
  for (let [sender, receiver] = [senders.pop(), receivers.pop()]; sender && receiver; ) {
    const amount = sender.left < receiver.left ? sender.left : receiver.left;
    moves.push({ from: sender.account, to: receiver.account, amount });
    sender.left -= amount;
    receiver.left -= amount;
    if (sender.left === 0n) sender = senders.pop();
    if (receiver.left === 0n) receiver = receivers.pop();
  }
  return moves;
}

/** The largest stands last, where it is taken from; among equals the account with the lowest id. */
function largestFirst(entries: readonly FungibleEntry[]): { readonly account: EntityId; left: bigint }[] {
  return entries
    .map(({ account, amount }) => ({ account, left: amount < 0n ? -amount : amount }))
    .sort((one, other) => {
      if (one.left !== other.left) return one.left < other.left ? -1 : 1;
      return one.account > other.account ? -1 : 1;
    });
}
