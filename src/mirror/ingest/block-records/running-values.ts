import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityKey } from './entity-bytes.ts';
import { RESULT_FIELD } from './field-numbers.ts';
import { GroupState } from './group-state.ts';
import type { BlockTransaction, TransactionGroup, TransactionResult } from './read-transactions.ts';

/** A message of a topic. */
interface TopicMessage {
  readonly sequenceNumber: bigint;
  /** Null where the block does not tell it. */
  readonly runningHash: Uint8Array | null;
}

/**
 * Supplies of tokens and numbers of topics on the way from the end of a block to its begin: the state tells them after
 * a group of transactions, and each transaction is undone when it was passed.
 *
 * @see contracts/streams.md section 9.4
 */
export class RunningValues {
  readonly #supplies = new Map<string, bigint>();
  readonly #messages = new Map<string, TopicMessage>();
  readonly #entered = new Set<TransactionGroup>();
  readonly #allStateChanges: readonly Uint8Array[];
  #isWholeRead = false;

  /** @param allStateChanges those of the block, also what belongs to no transaction */
  constructor(allStateChanges: readonly Uint8Array[]) {
    this.#allStateChanges = allStateChanges;
  }

  /** The supply after a transaction that changed it by so much; null when the block does not tell. */
  supplyAfter({ group }: BlockTransaction, token: Uint8Array, change: bigint): bigint | null {
    const key = entityKey(token);
    this.#enter(group);
    if (!this.#supplies.has(key)) this.#readWhole();
    const supply = this.#supplies.get(key) ?? null;
    if (supply !== null) this.#supplies.set(key, supply - change);
    return supply;
  }

  /** The message that was the last of its topic at the time; null when the block does not tell. */
  lastMessage({ group }: BlockTransaction, topic: Uint8Array): TopicMessage | null {
    const key = entityKey(topic);
    this.#enter(group);
    if (!this.#messages.has(key)) this.#readWhole();
    const message = this.#messages.get(key) ?? null;
    if (message === null || message.sequenceNumber < 1n) return null;
    this.#messages.set(key, { sequenceNumber: message.sequenceNumber - 1n, runningHash: null });
    return message;
  }

  #enter(group: TransactionGroup): void {
    if (this.#entered.has(group)) return;
    this.#entered.add(group);
    this.#take(group.state);
  }

  /** Several groups may share one state change at the end of their round. */
  #readWhole(): void {
    if (this.#isWholeRead) return;
    this.#isWholeRead = true;
    const known = [new Map(this.#supplies), new Map(this.#messages)] as const;
    this.#take(new GroupState(this.#allStateChanges));
    for (const [key, supply] of known[0]) this.#supplies.set(key, supply);
    for (const [key, message] of known[1]) this.#messages.set(key, message);
  }

  #take({ messages, supplies }: GroupState): void {
    for (const [key, supply] of supplies) this.#supplies.set(key, supply);
    for (const [key, message] of messages) this.#messages.set(key, message);
  }
}

/** How a body changes the supply of a token: members of its own part. */
interface SupplyFields {
  readonly sign: 1n | -1n;
  readonly amount: number;
  /** Metadata of new NFTs, one each; 0 without. */
  readonly metadata: number;
  /** Serial numbers of NFTs that end; 0 without. */
  readonly serials: number;
}

const FIELDS: ReadonlyMap<number, SupplyFields> = new Map([
  [TYPE.TOKENMINT as number, { sign: 1n, amount: 2, metadata: 3, serials: 0 }],
  [TYPE.TOKENBURN, { sign: -1n, amount: 2, metadata: 0, serials: 3 }],
  [TYPE.TOKENWIPE, { sign: -1n, amount: 3, metadata: 0, serials: 4 }],
]);
const TOKEN = 1;
const NFT_TRANSFERS = 3;
const SERIAL_NUMBER = 3;
const DELIMITED = 2;

/** The token whose supply a body changes, and by how much; null for other types. */
export function supplyChange(
  type: number,
  data: Uint8Array,
): { readonly token: Uint8Array; readonly change: bigint } | null {
  const fields = FIELDS.get(type);
  const token = fields === undefined ? null : rawField(data, TOKEN);
  if (fields === undefined || token === null) return null;
  let units = 0n;
  for (const walk = new FieldWalk(data); walk.next(); ) {
    if (walk.number === fields.amount) units += walk.int64;
    else if (walk.number === fields.metadata) units += 1n;
    else if (walk.number === fields.serials) {
      units += walk.wireType === DELIMITED ? varintsIn(walk.bytes) : 1n;
    }
  }
  return { token, change: fields.sign * units };
}

/** Serial numbers of the NFTs that a result moves, ascending. */
export function movedSerials({ bytes, repeated }: TransactionResult): readonly bigint[] {
  if (!repeated.has(RESULT_FIELD.tokenTransferLists)) return [];
  const serials: bigint[] = [];
  for (const list = new FieldWalk(bytes); list.next(); ) {
    if (list.number !== RESULT_FIELD.tokenTransferLists) continue;
    for (const walk = new FieldWalk(bytes, list.start, list.end); walk.next(); ) {
      if (walk.number !== NFT_TRANSFERS) continue;
      for (const nft = new FieldWalk(bytes, walk.start, walk.end); nft.next(); ) {
        if (nft.number === SERIAL_NUMBER) serials.push(nft.int64);
      }
    }
  }
  return serials.sort((left, right) => (left < right ? -1 : 1));
}

/** How many varints a packed list has. */
function varintsIn(packed: Uint8Array): bigint {
  let count = 0n;
  for (const byte of packed) if (byte < 0x80) count++;
  return count;
}
