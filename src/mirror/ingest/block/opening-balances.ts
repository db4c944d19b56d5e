import { accountId, timestampOf } from '../../items/ledger-ids.ts';
import type { BalanceStatement } from '../../ledger/rows.ts';
import type { AccountId } from '../../protobuf/message-types.ts';
import { messages, messageType } from '../../protobuf/messages.ts';
import { rawField, varintOf, walkFields } from '../../protobuf/wire.ts';
import { inFile, malformedFile } from '../errors.ts';
import { type BlockItem, ITEM } from './parsed-block.ts';

const AccountID = messageType<AccountId>('proto.AccountID');
/** Members of `StateChanges`, `StateChange`, `MapUpdateChange` and `Account`. */
const CHANGES = { time: 1, change: 2 };
const CHANGE = { state: 1, mapUpdate: 5 };
const UPDATE = { key: 1, value: 2 };
const ACCOUNT = { id: 1, balance: 5 };
/** In the keys and values of a map: an account id, an account. */
const ACCOUNT_KIND = 1;
const ACCOUNTS_STATE = 2n;

/**
 * Balances that the first block of a network states for accounts which no transaction created.
 *
 * @throws IngestError `malformed`.
 * @see contracts/streams.md section 9.6
 */
export function openingBalances(items: readonly BlockItem[], name: string): readonly BalanceStatement[] {
  const balances = new Map<bigint, BalanceStatement>();
  inFile(name, () => {
    for (const { bytes, field } of items) {
      if (field !== ITEM.stateChanges) continue;
      const time = rawField(bytes, CHANGES.time);
      const timestamp = time === null ? null : timestampOf(messages.Timestamp.decode(time));
      if (timestamp === null) throw malformedFile(name, 'state changes have no time');
      for (const change of walkFields(bytes)) {
        if (change.number !== CHANGES.change || change.wireType !== 2) continue;
        const stated = accountBalance(change.bytes, name);
        if (stated !== null) balances.set(stated.account, { ...stated, timestamp });
      }
    }
  });
  return [...balances.values()];
}

/** Null for a change of anything but an account. */
function accountBalance(change: Uint8Array, name: string): Omit<BalanceStatement, 'timestamp'> | null {
  if (numberOf(change, CHANGE.state) !== ACCOUNTS_STATE) return null;
  const update = rawField(change, CHANGE.mapUpdate);
  const key = update === null ? null : rawField(rawField(update, UPDATE.key) ?? EMPTY, ACCOUNT_KIND);
  const value = update === null ? null : rawField(rawField(update, UPDATE.value) ?? EMPTY, ACCOUNT_KIND);
  if (key === null || value === null) return null;
  const account = accountId(AccountID.decode(key));
  const told = accountId(AccountID.decode(rawField(value, ACCOUNT.id) ?? EMPTY));
  if (account === null || account !== told) {
    throw malformedFile(name, 'an account of its state has two ids, or none');
  }
  return { account, balance: BigInt.asIntN(64, numberOf(value, ACCOUNT.balance)) };
}

const EMPTY = new Uint8Array();

function numberOf(message: Uint8Array, number: number): bigint {
  let value = 0n;
  for (const field of walkFields(message)) {
    if (field.number === number && field.wireType === 0) value = varintOf(field.bytes);
  }
  return value;
}
