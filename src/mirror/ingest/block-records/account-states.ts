import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import { FieldWalk } from '../../protobuf/wire.ts';
import { readEntity } from './entity-bytes.ts';
import { ACCOUNT, MAP_CHANGE, STATE, STATE_CHANGE, STATE_CHANGES } from './field-numbers.ts';

/** The balance of an account as the state has it. */
export interface AccountBalance {
  readonly account: EntityId;
  /** Tinybars. */
  readonly balance: bigint;
  readonly timestamp: ConsensusTimestamp;
}

/**
 * Adds the balances that serialized `StateChanges` tell; a later one of an account replaces an earlier one.
 *
 * @see contracts/streams.md section 9.2, state 2
 */
export function addAccountBalances(
  stateChanges: Uint8Array,
  at: bigint,
  into: Map<bigint, AccountBalance>,
): void {
  const timestamp = consensusTimestamp(at);
  for (const list = new FieldWalk(stateChanges); list.next(); ) {
    if (list.number !== STATE_CHANGES.change) continue;
    let [stateId, start, end] = [0, -1, -1];
    for (const walk = new FieldWalk(stateChanges, list.start, list.end); walk.next(); ) {
      if (walk.number === STATE_CHANGE.stateId) stateId = walk.int;
      else if (walk.number === STATE_CHANGE.mapUpdate) [start, end] = [walk.start, walk.end];
    }
    if (stateId !== STATE.accounts.id || start < 0) continue;
    for (const update = new FieldWalk(stateChanges, start, end); update.next(); ) {
      if (update.number !== MAP_CHANGE.value) continue;
      for (const value = new FieldWalk(stateChanges, update.start, update.end); value.next(); ) {
        if (value.number !== STATE.accounts.value) continue;
        const read = readBalance(stateChanges, value.start, value.end);
        if (read !== null) into.set(read.account, { ...read, timestamp });
      }
    }
  }
}

/** Null for an account whose number is out of range. */
function readBalance(bytes: Uint8Array, start: number, end: number) {
  let account: EntityId | null = null;
  let balance = 0n;
  for (const walk = new FieldWalk(bytes, start, end); walk.next(); ) {
    if (walk.number === ACCOUNT.id) {
      const { number, realm, shard } = readEntity(walk.bytes);
      account = encodeEntityId(shard, realm, number);
    } else if (walk.number === ACCOUNT.balance) balance = walk.int64;
  }
  return account === null || account === 0n ? null : { account, balance };
}
