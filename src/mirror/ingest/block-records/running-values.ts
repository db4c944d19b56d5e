import { entityKey } from './entity-bytes.ts';
import { GroupState } from './group-state.ts';
import type { BlockTransaction } from './read-transactions.ts';
import type { TransactionGroup } from './transaction-groups.ts';

/** A message of a topic. */
export interface TopicMessage {
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
