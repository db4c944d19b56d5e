import type { EntityId } from '../../../values/entity-id.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

/** An amount that went from one account to another; null for where it came from, or was destroyed. */
export interface FungibleMove {
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
