import { trimmed } from '../../evm/bytes.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { bytesKey, entityKey, word } from './entity-bytes.ts';
import { EVM_TRACE, TRACE } from './field-numbers.ts';
import type { GroupState } from './group-state.ts';
import type { BlockTransaction, TransactionGroup } from './read-transactions.ts';
import type { Outputs } from './transaction-outputs.ts';

/** In `TransactionSidecarRecord` and the messages below it. */
const SIDECAR_RECORD = { consensusTimestamp: 1, stateChanges: 3, actions: 4, bytecode: 5 };
const LIST = 1;
const BYTECODE = { contract: 1, initcode: 2, runtime: 3 };
/** In `SidecarFile`. */
const RECORDS = 1;

/** Numbers of the enumeration SidecarType. */
const SIDECAR_TYPE = { stateChange: 1, action: 2, bytecode: 3 } as const;

/**
 * What the traces of a block tell of contracts, in the form of the sidecars of record files: state changes, actions,
 * codes. Filled with the transactions from the last to the first.
 *
 * @see contracts/streams.md sections 2.5 and 9.7
 */
export class ContractTraces {
  readonly #records: Uint8Array[] = [];
  readonly #types = new Set<number>();
  readonly #laterReads: LaterReads = new Map();
  /** Contracts whose code was told, by group. */
  readonly #told = new Map<TransactionGroup, Set<string>>();

  /** @param created serialized `ContractID` of what it created; null for nothing */
  add(transaction: BlockTransaction, { evm }: Outputs, created: Uint8Array | null): void {
    if (evm === null) return;
    const told = this.#told.get(transaction.group) ?? new Set();
    this.#told.set(transaction.group, told);
    const { actions, initcode, slotUsages } = readEvmTrace(transaction.traces);
    const { group, result } = transaction;
    if (evm.isCreation) {
      const contract = created ?? (initcode === null ? null : initcodeContract(initcode));
      const runtime = created === null ? null : (group.state.codes.get(entityKey(created))?.code ?? null);
      const creation = initcode === null ? null : executedInitcode(initcode, runtime);
      if (contract !== null) told.add(entityKey(contract));
      this.#bytecode(transaction, contract, creation, runtime);
    }
    this.#list(SIDECAR_TYPE.action, SIDECAR_RECORD.actions, result.consensusBytes, actions);
    const changes = contractStateChanges(slotUsages, group.state, this.#laterReads);
    this.#list(SIDECAR_TYPE.stateChange, SIDECAR_RECORD.stateChanges, result.consensusBytes, changes);
  }

  /** Adds the codes of contracts that no transaction of their own created. */
  finish(transactions: readonly BlockTransaction[]): void {
    for (const [group, told] of this.#told) {
      const [first] =
        group.state.codes.size > told.size ? transactions.filter((each) => each.group === group) : [];
      if (first === undefined) continue;
      for (const [key, { code, contract }] of group.state.codes) {
        if (!told.has(key)) this.#bytecode(first, contract, null, code);
      }
    }
    this.#records.reverse();
  }

  /** A serialized `SidecarFile`, with the types of what is in it; null when the block has no traces. */
  get sidecar(): { readonly contents: Uint8Array; readonly types: readonly number[] } | null {
    if (this.#records.length === 0) return null;
    const writer = new WireWriter();
    for (const record of this.#records) writer.delimited(RECORDS, record);
    return { contents: writer.finish(), types: [...this.#types].sort() };
  }

  #bytecode(
    { result }: BlockTransaction,
    contract: Uint8Array | null,
    creationCode: Uint8Array | null,
    runtimeCode: Uint8Array | null,
  ): void {
    if (creationCode === null && runtimeCode === null) return;
    const bytecode = new WireWriter()
      .delimited(BYTECODE.contract, contract)
      .delimited(BYTECODE.initcode, creationCode)
      .delimited(BYTECODE.runtime, runtimeCode)
      .finish();
    this.#record(SIDECAR_TYPE.bytecode, SIDECAR_RECORD.bytecode, result.consensusBytes, bytecode);
  }

  #list(type: number, member: number, at: Uint8Array, parts: readonly Uint8Array[]): void {
    if (parts.length === 0) return;
    const writer = new WireWriter();
    for (const part of parts) writer.delimited(LIST, part);
    this.#record(type, member, at, writer.finish());
  }

  #record(type: number, member: number, at: Uint8Array, contents: Uint8Array): void {
    this.#types.add(type);
    const writer = new WireWriter().delimited(SIDECAR_RECORD.consensusTimestamp, at);
    this.#records.push(writer.delimited(member, contents).finish());
  }
}

/** In `ExecutedInitcode`. */
const INITCODE = { contract: 1, bookends: 2, explicit: 3 };
/** In `InitcodeBookends`: what stands before and behind the code that was stored. */
const BOOKENDS = { deploy: 1, metadata: 2 };

/**
 * The creation code that a trace tells; networks leave out of it what the stored code repeats.
 *
 * @param initcode a serialized `ExecutedInitcode`, or the older wrapper with the explicit code alone
 * @param runtimeCode null when the creation failed
 * @returns null when the trace does not tell it
 * @see contracts/streams.md section 9.7, row bytecode
 */
function executedInitcode(initcode: Uint8Array, runtimeCode: Uint8Array | null): Uint8Array | null {
  const explicit = rawField(initcode, INITCODE.explicit);
  if (explicit !== null) return explicit;
  const bookends = rawField(initcode, INITCODE.bookends);
  if (bookends === null || runtimeCode === null) return null;
  let [deploy, metadata]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  for (const walk = new FieldWalk(bookends); walk.next(); ) {
    if (walk.number === BOOKENDS.deploy) deploy = walk.bytes;
    else if (walk.number === BOOKENDS.metadata) metadata = walk.bytes;
  }
  return new Uint8Array(Buffer.concat([deploy, runtimeCode, metadata]));
}

/** The contract that a trace names as that of the code; null in the older form. */
function initcodeContract(initcode: Uint8Array): Uint8Array | null {
  return rawField(initcode, INITCODE.contract);
}

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
type LaterReads = Map<string, Uint8Array>;

/**
 * Serializes the `ContractStateChange` of each contract whose storage a run used: every slot that it read, with what
 * it wrote to those that it changed.
 *
 * @param laterReads is given what this run read
 * @see contracts/streams.md section 9.7
 */
function contractStateChanges(
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

/** What traces tell of a contract's run; lists as the serialized messages, in order. */
interface EvmTrace {
  /** Serialized `ExecutedInitcode`; null without one. */
  readonly initcode: Uint8Array | null;
  readonly actions: readonly Uint8Array[];
  /** Serialized `ContractSlotUsage`. */
  readonly slotUsages: readonly Uint8Array[];
  /** Serialized `EvmTransactionLog`. */
  readonly logs: readonly Uint8Array[];
}

const NOTHING: EvmTrace = { initcode: null, actions: [], slotUsages: [], logs: [] };
/** In `SubmitMessageTraceData`. */
const SUBMITTED = { sequenceNumber: 1, runningHash: 2 };

/** Joins what the traces of a transaction tell of the EVM. */
export function readEvmTrace(traces: readonly Uint8Array[]): EvmTrace {
  const parts = traces.map((trace) => rawField(trace, TRACE.evm)).filter((part) => part !== null);
  if (parts.length === 0) return NOTHING;
  let initcode: Uint8Array | null = null;
  const [actions, slotUsages, logs]: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
  for (const part of parts) {
    for (const walk = new FieldWalk(part); walk.next(); ) {
      if (walk.number === EVM_TRACE.initcode) initcode = walk.bytes;
      else if (walk.number === EVM_TRACE.action) actions.push(walk.bytes);
      else if (walk.number === EVM_TRACE.slotUsage) slotUsages.push(walk.bytes);
      else if (walk.number === EVM_TRACE.log) logs.push(walk.bytes);
    }
  }
  return { initcode, actions, slotUsages, logs };
}

/** Sequence number and running hash that a trace gives a message; null without such a trace. */
export function readSubmittedMessage(
  traces: readonly Uint8Array[],
): { readonly sequenceNumber: bigint; readonly runningHash: Uint8Array | null } | null {
  for (const trace of traces) {
    const message = rawField(trace, TRACE.submitMessage);
    if (message === null) continue;
    let sequenceNumber = 0n;
    for (const walk = new FieldWalk(message); walk.next(); ) {
      if (walk.number === SUBMITTED.sequenceNumber) sequenceNumber = walk.int64;
    }
    return { sequenceNumber, runningHash: rawField(message, SUBMITTED.runningHash) };
  }
  return null;
}
