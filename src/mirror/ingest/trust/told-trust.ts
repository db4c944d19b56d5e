import { type LedgerPublication, readLedgerPublication } from '../../items/ledger-publication.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { sameBytes } from '../sha384.ts';
import type { LedgerTrust } from '../units/ledger-trust.ts';

/** An item of a block: the number of its member, and the bytes of that. */
export interface TrustItem {
  readonly field: number;
  readonly bytes: Uint8Array;
}

/** What a block says about keys and ids, unproven. */
export interface ToldKeys {
  /** Threshold keys of the active and of the next construction. */
  readonly keys: readonly Uint8Array[];
  readonly stateLedgerId: Uint8Array | null;
}

const ITEM = { signedTransaction: 4, stateChanges: 7 };
const BODY_BYTES = 1;
const PUBLICATION = 77;
/** In StateChanges and StateChange. */
const FIELD = { changes: 2, stateId: 1, singleton: 4 };
/** States that name a threshold key, and where: construction, scheme, preprocessed keys, verification key. */
const KEY_STATES: readonly number[] = [38, 39];
const KEY_PATH = [14, 6, 1, 2];
const LEDGER_ID_STATE = 42;
const LEDGER_ID_PATH = [6, 1];
const KEY_LENGTH = 1096;

/**
 * The keys and the id that the state changes of a block name.
 *
 * @see contracts/streams.md section 9.2
 */
export function toldKeys(items: readonly TrustItem[]): ToldKeys {
  const keys: Uint8Array[] = [];
  let stateLedgerId: Uint8Array | null = null;
  for (const { id, singleton } of singletons(items)) {
    if (KEY_STATES.includes(id)) {
      const key = memberAt(singleton, KEY_PATH);
      if (key?.length === KEY_LENGTH) keys.unshift(Uint8Array.from(key));
    } else if (id === LEDGER_ID_STATE) {
      const told = memberAt(singleton, LEDGER_ID_PATH);
      if (told !== null && told.length > 0) stateLedgerId = Uint8Array.from(told);
    }
  }
  return { keys, stateLedgerId };
}

/** Whether the proofs of later blocks may rest on what a block tells. */
export function tellsTrust(items: readonly TrustItem[]): boolean {
  const { keys, stateLedgerId } = toldKeys(items);
  return keys.length > 0 || stateLedgerId !== null || ownPublication(items) !== null;
}

/**
 * Trust with what the first block of a network tells of itself, where nothing better is known. Later blocks hold
 * transactions of anybody, also publications that failed. With a pinned id it may add the roster, which the id is the hash of, but not the WRAPS key.
 *
 * @see contracts/streams.md section 18.3
 */
export function trustOfBlock(
  trust: LedgerTrust,
  { items, number }: { readonly items: readonly TrustItem[]; readonly number: bigint },
): LedgerTrust {
  if (number !== 0n || (trust.ledgerId !== null && trust.roster !== null)) return trust;
  const told = ownPublication(items);
  if (told === null) return trust;
  const roster = told.roster.length === 0 ? null : told.roster;
  if (trust.ledgerId === null) return { ...trust, ledgerId: told.ledgerId, wrapsKey: told.wrapsKey, roster };
  if (!sameBytes(trust.ledgerId, told.ledgerId)) return trust;
  return { ...trust, roster, wrapsKey: trust.wrapsKey ?? (trust.isPinned ? null : told.wrapsKey) };
}

function ownPublication(items: readonly TrustItem[]): LedgerPublication | null {
  for (const { bytes, field } of items) {
    if (field !== ITEM.signedTransaction) continue;
    const body = rawField(bytes, BODY_BYTES);
    const publication = body === null ? null : rawField(body, PUBLICATION);
    if (publication !== null) return readLedgerPublication(publication);
  }
  return null;
}

function* singletons(items: readonly TrustItem[]): Generator<{ id: number; singleton: Uint8Array }> {
  for (const { bytes, field } of items) {
    if (field !== ITEM.stateChanges) continue;
    for (const list = new FieldWalk(bytes); list.next(); ) {
      if (list.number !== FIELD.changes) continue;
      let id: number | null = null;
      let singleton: Uint8Array | null = null;
      for (const walk = new FieldWalk(bytes, list.start, list.end); walk.next(); ) {
        // The ids asked for have one byte.
        if (walk.number === FIELD.stateId) id ??= walk.end - walk.start === 1 ? walk.int : 0;
        else if (walk.number === FIELD.singleton && walk.wireType === 2) singleton = walk.bytes;
      }
      if (singleton !== null) yield { id: id ?? 0, singleton };
    }
  }
}

function memberAt(bytes: Uint8Array, path: readonly number[]): Uint8Array | null {
  return path.reduce<Uint8Array | null>((at, number) => (at === null ? null : rawField(at, number)), bytes);
}
