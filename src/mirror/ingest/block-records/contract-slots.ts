import { trimmed } from '../../evm/bytes.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { bytesKey, entityKey } from './entity-bytes.ts';
import type { GroupState } from './group-state.ts';
import { word } from './word.ts';

/** In `ContractSlotUsage`. */
const USAGE = { contract: 1, writtenKeys: 3, read: 4 };
const WRITTEN_KEY = 1;
/** In `SlotRead`. */
const READ = { index: 1, key: 2, value: 3 };
/** In `ContractStateChange`, `StorageChange` and `BytesValue`. */
const CHANGE = { contract: 1, slot: 2 };
const SLOT = { key: 1, valueRead: 2, valueWritten: 3 };
const WRAPPED_VALUE = 1;
const EMPTY = new Uint8Array();

/**
 * What runs that happened later in the block read of slots; by contract and slot, without leading zeros.
 *
 * A block is worked off from its end, so that a run that wrote a slot finds what the next one read of it.
 */
export type LaterReads = Map<string, Uint8Array>;

/**
 * Serializes the `ContractStateChange` of each contract whose storage a run used: every slot that it read, with what
 * it wrote to those that it changed.
 *
 * @param laterReads is given what this run read
 * @see contracts/streams.md section 9.7
 */
export function contractStateChanges(
  slotUsages: readonly Uint8Array[],
  state: GroupState,
  laterReads: LaterReads,
): readonly Uint8Array[] {
  const read: (readonly [string, Uint8Array])[] = [];
  const changes = slotUsages.flatMap((usage) => {
    const contract = rawField(usage, USAGE.contract);
    if (contract === null) return [];
    const contractKey = entityKey(contract);
    const storedAfter = state.slotsOf(contractKey);
    const writtenKeys = writtenKeysOf(usage) ?? storedAfter.map(({ key }) => key);
    const finalValues = new Map(storedAfter.map(({ key, value }) => [bytesKey(key), value ?? EMPTY]));
    const writer = new WireWriter().delimited(CHANGE.contract, contract);
    for (const { isWritten, key, value } of slotReads(usage, writtenKeys)) {
      const slotKey = `${contractKey}/${bytesKey(key)}`;
      const written = isWritten ? (laterReads.get(slotKey) ?? finalValues.get(bytesKey(key)) ?? null) : null;
      writer.delimited(CHANGE.slot, storageChange(key, value, written));
      read.push([slotKey, value]);
    }
    return [writer.finish()];
  });
  for (const [slotKey, value] of read) laterReads.set(slotKey, value);
  return changes;
}

function storageChange(key: Uint8Array, read: Uint8Array, written: Uint8Array | null): Uint8Array {
  return new WireWriter()
    .delimited(SLOT.key, word(key))
    .delimited(SLOT.valueRead, word(read))
    .delimited(
      SLOT.valueWritten,
      written === null ? null : new WireWriter().delimited(WRAPPED_VALUE, word(written)).finish(),
    )
    .finish();
}

/** Null when the usage leaves them to the state changes. */
function writtenKeysOf(usage: Uint8Array): readonly Uint8Array[] | null {
  const list = rawField(usage, USAGE.writtenKeys);
  if (list === null) return null;
  const keys: Uint8Array[] = [];
  for (const walk = new FieldWalk(list); walk.next(); ) {
    if (walk.number === WRITTEN_KEY) keys.push(trimmed(walk.bytes));
  }
  return keys;
}

/** A slot that was written is named by its place among those. A place that there is not is left out. */
function slotReads(usage: Uint8Array, writtenKeys: readonly Uint8Array[]) {
  const reads: { readonly key: Uint8Array; readonly value: Uint8Array; readonly isWritten: boolean }[] = [];
  for (const walk = new FieldWalk(usage); walk.next(); ) {
    if (walk.number !== USAGE.read) continue;
    let key: Uint8Array | undefined;
    let value: Uint8Array = EMPTY;
    let isWritten = false;
    for (const slot = new FieldWalk(usage, walk.start, walk.end); slot.next(); ) {
      if (slot.number === READ.index) [key, isWritten] = [writtenKeys[slot.int], true];
      else if (slot.number === READ.key) key = trimmed(slot.bytes);
      else if (slot.number === READ.value) value = trimmed(slot.bytes);
    }
    if (key !== undefined) reads.push({ key, value, isWritten });
  }
  return reads;
}
