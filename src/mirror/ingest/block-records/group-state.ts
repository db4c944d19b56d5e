import { trimmed } from '../../evm/bytes.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { airdropKey, bytesKey, entityKey, int64Field, readEntity } from './entity-bytes.ts';
import { ACCOUNT, AIRDROP_ID, BYTECODE, PENDING_AIRDROP, STATE } from './field-numbers.ts';
import { type MapChange, mapChanges } from './state-changes.ts';

/** What the state tells of an account or contract after a group of transactions. */
interface AccountAfter {
  /** Serialized `AccountID`. */
  readonly id: Uint8Array;
  readonly alias: Uint8Array | null;
  readonly isContract: boolean;
  readonly nonce: bigint;
}

/** A slot of a contract's storage after a group of transactions; null when it was deleted. */
interface SlotAfter {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

const ACCOUNTS: ReadonlySet<number> = new Set([STATE.accounts.id]);
/** Members of `Token` and `Topic`. */
const TOKEN_SUPPLY = 5;
const TOPIC = { sequenceNumber: 2, runningHash: 7 };
const SLOT_VALUE = 1;
const SLOT_KEY = { contract: 1, key: 2 };

/**
 * The state that a group of transactions left, as far as records tell of it.
 *
 * @see contracts/streams.md sections 9.2 and 9.4
 */
export class GroupState {
  /** The accounts, which nearly every change is about and few records need, are read apart. */
  static readonly #readers = new Map<number, (state: GroupState, change: MapChange) => void>([
    [STATE.storage.id, (state, change) => state.#slot(change)],
    [STATE.bytecode.id, (state, change) => state.#code(change)],
    [STATE.files.id, (state, change) => state.files.add(keyOf(change, STATE.files.key))],
    [STATE.tokens.id, (state, change) => state.#token(change)],
    [STATE.topics.id, (state, change) => state.#topic(change)],
    [STATE.schedules.id, (state, change) => state.schedules.add(keyOf(change, STATE.schedules.key))],
    [STATE.nodes.id, (state, change) => state.nodes.addNumber(keyOf(change, STATE.nodes.key))],
    [STATE.pendingAirdrops.id, (state, change) => state.#airdrop(change)],
    [
      STATE.registeredNodes.id,
      (state, change) => state.registeredNodes.addNumber(keyOf(change, STATE.registeredNodes.key)),
    ],
  ]);
  static readonly #read: ReadonlySet<number> = new Set(GroupState.#readers.keys());
  readonly files = new NewIds();
  readonly tokens = new NewIds();
  readonly topics = new NewIds();
  readonly schedules = new NewIds();
  readonly nodes = new NewIds();
  readonly registeredNodes = new NewIds();
  readonly contracts = new NewIds();
  /** By token. */
  readonly supplies = new Map<string, bigint>();
  /** By topic. */
  readonly messages = new Map<
    string,
    { readonly sequenceNumber: bigint; readonly runningHash: Uint8Array | null }
  >();
  /** By {@link airdropKey}: how much is pending; null for an NFT. */
  readonly airdrops = new Map<string, { readonly id: Uint8Array; readonly amount: bigint | null }>();
  /** By contract. */
  readonly codes = new Map<string, { readonly contract: Uint8Array; readonly code: Uint8Array }>();
  readonly #stateChanges: readonly Uint8Array[];
  readonly #accounts = new Map<string, AccountAfter>();
  readonly #byAlias = new Map<string, Uint8Array>();
  #hasReadAccounts = false;
  readonly #slots = new Map<string, SlotAfter[]>();

  constructor(stateChanges: readonly Uint8Array[]) {
    this.#stateChanges = stateChanges;
    for (const each of stateChanges) {
      for (const change of mapChanges(each, GroupState.#read))
        GroupState.#readers.get(change.stateId)?.(this, change);
    }
  }

  get accounts(): ReadonlyMap<string, AccountAfter> {
    this.#readAccounts();
    return this.#accounts;
  }

  /** The serialized `AccountID` of an account with this alias or EVM address. */
  accountWithAlias(alias: Uint8Array): Uint8Array | null {
    this.#readAccounts();
    return this.#byAlias.get(bytesKey(alias)) ?? null;
  }

  /** Slots that were written, in the order of the state changes. */
  slotsOf(contract: string): readonly SlotAfter[] {
    return this.#slots.get(contract) ?? [];
  }

  #readAccounts(): void {
    if (this.#hasReadAccounts) return;
    this.#hasReadAccounts = true;
    for (const each of this.#stateChanges) {
      for (const change of mapChanges(each, ACCOUNTS)) this.#account(change);
    }
  }

  #account({ value }: MapChange): void {
    const account = value === null ? null : rawField(value, STATE.accounts.value);
    if (account === null) return;
    let id: Uint8Array | null = null;
    let alias: Uint8Array | null = null;
    let [isContract, nonce] = [false, 0n];
    for (const walk = new FieldWalk(account); walk.next(); ) {
      if (walk.number === ACCOUNT.id) id = walk.bytes;
      else if (walk.number === ACCOUNT.alias && walk.end > walk.start) alias = walk.bytes;
      else if (walk.number === ACCOUNT.isContract) isContract = walk.int !== 0;
      else if (walk.number === ACCOUNT.ethereumNonce) nonce = walk.int64;
    }
    if (id === null) return;
    this.#accounts.set(entityKey(id), { id, alias, isContract, nonce });
    if (alias !== null) this.#byAlias.set(bytesKey(alias), id);
  }

  #slot({ isIdentical, key, value }: MapChange): void {
    const slot = rawField(key, STATE.storage.key);
    const contract = slot === null ? null : rawField(slot, SLOT_KEY.contract);
    if (slot === null || contract === null || isIdentical) return;
    const slots = this.#slots.get(entityKey(contract)) ?? [];
    this.#slots.set(entityKey(contract), slots);
    const written = value === null ? null : rawField(value, STATE.storage.value);
    slots.push({
      key: trimmed(rawField(slot, SLOT_KEY.key) ?? EMPTY),
      value: written === null ? null : trimmed(rawField(written, SLOT_VALUE) ?? EMPTY),
    });
  }

  #code({ key, value }: MapChange): void {
    const contract = rawField(key, STATE.bytecode.key);
    const bytecode = value === null ? null : rawField(value, STATE.bytecode.value);
    if (contract === null || bytecode === null) return;
    this.contracts.add(contract);
    this.codes.set(entityKey(contract), { contract, code: rawField(bytecode, BYTECODE.code) ?? EMPTY });
  }

  #airdrop({ key, value }: MapChange): void {
    const id = rawField(key, STATE.pendingAirdrops.key);
    const state = value === null ? null : rawField(value, STATE.pendingAirdrops.value);
    if (id === null || state === null) return;
    const pending = rawField(state, PENDING_AIRDROP.value);
    const isNft = rawField(id, AIRDROP_ID.nft) !== null;
    const amount = isNft ? null : int64Field(pending ?? EMPTY, PENDING_AIRDROP.amount);
    this.airdrops.set(airdropKey(id), { id, amount });
  }

  #token({ key, value }: MapChange): void {
    const token = rawField(key, STATE.tokens.key);
    const state = value === null ? null : rawField(value, STATE.tokens.value);
    if (token === null || state === null) return;
    this.tokens.add(token);
    this.supplies.set(entityKey(token), int64Field(state, TOKEN_SUPPLY));
  }

  #topic({ key, value }: MapChange): void {
    const topic = rawField(key, STATE.topics.key);
    const state = value === null ? null : rawField(value, STATE.topics.value);
    if (topic === null || state === null) return;
    this.topics.add(topic);
    this.messages.set(entityKey(topic), {
      sequenceNumber: int64Field(state, TOPIC.sequenceNumber),
      runningHash: rawField(state, TOPIC.runningHash),
    });
  }
}

const EMPTY = new Uint8Array();

/** Null for a row that was deleted: nothing new has its id. */
function keyOf({ key, value }: MapChange, member: number): Uint8Array | null {
  return value === null ? null : rawField(key, member);
}

/** In `EntityNumber`. */
const NUMBER = 1;

interface NewId {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

/**
 * Ids of rows that a group of transactions set, among which are those of the entities that it created.
 *
 * Ids ascend, so the last creation has the largest: creations ask for theirs from the last to the first.
 *
 * @see contracts/streams.md section 9.4
 */
class NewIds {
  readonly #ids = new Map<bigint, Uint8Array>();
  /** Ascending; null when there are new ones. */
  #sorted: bigint[] | null = null;

  /** @param bytes a serialized id of an entity; null adds nothing */
  add(bytes: Uint8Array | null): void {
    if (bytes !== null) this.#add(readEntity(bytes).number, bytes);
  }

  /** @param bytes a serialized `EntityNumber`; null adds nothing */
  addNumber(bytes: Uint8Array | null): void {
    if (bytes === null) return;
    let number = 0n;
    for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === NUMBER) number = walk.int64;
    this.#add(number, bytes);
  }

  /** Takes an id that is known to be given. */
  claim(number: bigint): void {
    this.#ids.delete(number);
  }

  /** The largest id that nobody has taken yet; null when there is none. */
  takeLargest(): NewId | null {
    this.#sorted ??= [...this.#ids.keys()].sort((left, right) => (left < right ? -1 : 1));
    for (;;) {
      const number = this.#sorted.pop();
      if (number === undefined) return null;
      const bytes = this.#ids.get(number);
      if (bytes === undefined) continue;
      this.#ids.delete(number);
      return { number, bytes };
    }
  }

  #add(number: bigint, bytes: Uint8Array): void {
    this.#ids.set(number, bytes);
    this.#sorted = null;
  }
}
