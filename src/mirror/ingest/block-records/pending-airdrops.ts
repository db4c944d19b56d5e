import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { airdropKeyOf, int64Field } from './entity-bytes.ts';
import { PENDING_AIRDROP } from './field-numbers.ts';
import type { BlockTransaction } from './read-transactions.ts';

/** In `TokenAirdropTransactionBody`, `TokenTransferList`, `AccountAmount` and `NftTransfer`. */
const LISTS = 1;
const LIST = { token: 1, transfers: 2, nftTransfers: 3 };
const TRANSFER = { account: 1, amount: 2 };
const NFT = { sender: 1, receiver: 2, serial: 3 };
/** In `PendingAirdropRecord`. */
const RECORD = { id: 1, value: 2 };

/** What a body asks for: who gives what to whom, and how many units; null for an NFT. */
type Asked = ReadonlyMap<string, bigint | null>;

/**
 * The serialized `PendingAirdropRecord`s of an airdrop: rows of the state that it set, since what was delivered at once
 * has none. Each tells how much is pending in all.
 *
 * Rows of other airdrops change with it too, because those of an account are a chain, so only what the body asks for
 * counts. Called from the last transaction of a block to the first.
 *
 * @see contracts/streams.md section 9.2
 */
export function pendingAirdrops({ group, signed }: BlockTransaction): readonly Uint8Array[] {
  const { airdrops } = group.state;
  if (airdrops.size === 0) return [];
  const asked = askedBy(signed.data);
  const records: Uint8Array[] = [];
  for (const [key, { amount, id }] of airdrops) {
    const units = asked.get(key);
    if (units === undefined || (amount !== null && amount <= 0n)) continue;
    const value = amount === null ? null : new WireWriter().varint(PENDING_AIRDROP.amount, amount).finish();
    records.push(new WireWriter().delimited(RECORD.id, id).delimited(RECORD.value, value).finish());
    // An airdrop of the same group before this one left so much less.
    if (amount === null || units === null) airdrops.delete(key);
    else airdrops.set(key, { id, amount: amount - units });
  }
  return records;
}

function askedBy(body: Uint8Array): Asked {
  const asked = new Map<string, bigint | null>();
  for (const lists = new FieldWalk(body); lists.next(); ) {
    if (lists.number !== LISTS) continue;
    const token = rawField(lists.bytes, LIST.token);
    const amounts: (readonly [account: Uint8Array | null, amount: bigint])[] = [];
    for (const walk = new FieldWalk(lists.bytes); walk.next(); ) {
      const { bytes, number } = walk;
      if (number === LIST.transfers) {
        amounts.push([rawField(bytes, TRANSFER.account), zigzag(int64Field(bytes, TRANSFER.amount))]);
      } else if (number === LIST.nftTransfers) {
        const [sender, receiver] = [rawField(bytes, NFT.sender), rawField(bytes, NFT.receiver)];
        asked.set(airdropKeyOf(sender, receiver, token, int64Field(bytes, NFT.serial)), null);
      }
    }
    for (const [sender, debit] of amounts) {
      if (debit >= 0n) continue;
      for (const [receiver, units] of amounts) {
        if (units > 0n) asked.set(airdropKeyOf(sender, receiver, token, 0n), units);
      }
    }
  }
  return asked;
}

/** Amounts are `sint64`. */
function zigzag(value: bigint): bigint {
  const bits = BigInt.asUintN(64, value);
  return BigInt.asIntN(64, (bits >> 1n) ^ -(bits & 1n));
}
