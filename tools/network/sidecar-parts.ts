import { timeOf } from '../../src/mirror/ingest/block-records/entity-bytes.ts';
import { FieldWalk, rawField } from '../../src/mirror/protobuf/wire.ts';

/** What a sidecar tells of one transaction, taken apart for the traces of a block. */
export interface SidecarParts {
  readonly initcode: Uint8Array | null;
  readonly runtimeCode: Uint8Array | null;
  /** Serialized `ContractAction`. */
  readonly actions: readonly Uint8Array[];
  readonly storage: readonly UsedStorage[];
}

/** The slots of one contract that a run used. */
export interface UsedStorage {
  /** Serialized `ContractID`. */
  readonly contract: Uint8Array;
  readonly slots: readonly UsedSlot[];
}

/** A slot without zeros in front, as its values; null when it was only read. */
export interface UsedSlot {
  readonly key: Uint8Array;
  readonly read: Uint8Array;
  readonly written: Uint8Array | null;
}

export const NO_PARTS: SidecarParts = { initcode: null, runtimeCode: null, actions: [], storage: [] };

/** In `SidecarFile`, `TransactionSidecarRecord` and the messages below it. */
const RECORDS = 1;
const RECORD = { consensusTimestamp: 1, stateChanges: 3, actions: 4, bytecode: 5 };
const LIST = 1;
const CHANGES = { contract: 1, storage: 2 };
const STORAGE = { slot: 1, read: 2, written: 3 };
const WRAPPED_VALUE = 1;
const BYTECODE = { initcode: 2, runtime: 3 };
const EMPTY = new Uint8Array();

/** Takes a serialized `SidecarFile` apart, by the times of its records. */
export function sidecarParts(file: Uint8Array): ReadonlyMap<bigint, SidecarParts> {
  const found = new Map<bigint, SidecarParts>();
  for (const record of members(file, RECORDS)) {
    const at = timeOf(rawField(record, RECORD.consensusTimestamp) ?? EMPTY);
    const bytecode = rawField(record, RECORD.bytecode) ?? EMPTY;
    const before = found.get(at) ?? NO_PARTS;
    found.set(at, {
      initcode: rawField(bytecode, BYTECODE.initcode) ?? before.initcode,
      runtimeCode: rawField(bytecode, BYTECODE.runtime) ?? before.runtimeCode,
      actions: [...before.actions, ...members(rawField(record, RECORD.actions) ?? EMPTY, LIST)],
      storage: [
        ...before.storage,
        ...members(rawField(record, RECORD.stateChanges) ?? EMPTY, LIST).map(usedStorage),
      ],
    });
  }
  return found;
}

function usedStorage(change: Uint8Array): UsedStorage {
  return {
    contract: rawField(change, CHANGES.contract) ?? EMPTY,
    slots: members(change, CHANGES.storage).map((slot) => {
      const written = rawField(slot, STORAGE.written);
      return {
        key: rawField(slot, STORAGE.slot) ?? EMPTY,
        read: rawField(slot, STORAGE.read) ?? EMPTY,
        written: written === null ? null : (rawField(written, WRAPPED_VALUE) ?? EMPTY),
      };
    }),
  };
}

function members(bytes: Uint8Array, number: number): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === number) found.push(walk.bytes);
  return found;
}
