import { FieldWalk } from '../../protobuf/wire.ts';
import { GroupState } from './group-state.ts';

/** Transactions that happened together: a client's, its children, those inside a batch. */
export class TransactionGroup {
  /** Serialized `StateChanges`. */
  readonly stateChanges: Uint8Array[] = [];
  #state: GroupState | null = null;

  /** What was changed, read when it is first asked for. */
  get state(): GroupState {
    this.#state ??= new GroupState(this.stateChanges);
    return this.#state;
  }
}

interface Grouped {
  readonly signed: { readonly transactionId: Uint8Array | null };
  readonly parent: unknown;
  group: TransactionGroup;
}

/** In `TransactionID`. */
const ID = { validStart: 1, account: 2, scheduled: 3, nonce: 4 };

/**
 * Lets transactions that have no state changes and name no parent share those of their neighbour: children that come
 * before their parent those of the next one with the same id, a scheduled transaction those of the one before, which
 * triggered it.
 *
 * @param transactions in the order of the block
 */
export function joinGroups(transactions: readonly Grouped[]): void {
  for (let index = transactions.length - 1; index >= 0; index--) {
    const each = transactions[index];
    if (each === undefined || each.parent !== null || each.group.stateChanges.length > 0) continue;
    const next = transactions[index + 1];
    if (next === undefined || next.group === each.group || next.parent !== null) continue;
    const [own, other] = [readId(each.signed.transactionId), readId(next.signed.transactionId)];
    if (own.nonce > 0 && own.key === other.key) each.group = next.group;
  }
  for (const [index, each] of transactions.entries()) {
    const before = transactions[index - 1];
    if (before === undefined || each.parent !== null || each.group.stateChanges.length > 0) continue;
    if (readId(each.signed.transactionId).isScheduled) each.group = before.group;
  }
}

function readId(bytes: Uint8Array | null) {
  let [nonce, isScheduled, key] = [0, false, ''];
  if (bytes === null) return { nonce, isScheduled, key };
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === ID.nonce) nonce = walk.int;
    else if (walk.number === ID.scheduled) isScheduled = walk.int !== 0;
    else key += `${walk.number}:${Buffer.from(walk.bytes).toString('hex')};`;
  }
  return { nonce, isScheduled, key };
}
