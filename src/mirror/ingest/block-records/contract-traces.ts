import { WireWriter } from '../../protobuf/wire-writer.ts';
import { executedInitcode, initcodeContract } from './contract-bytecode.ts';
import { contractStateChanges, type LaterReads } from './contract-slots.ts';
import { entityKey } from './entity-bytes.ts';
import { readEvmTrace } from './evm-trace.ts';
import type { BlockTransaction } from './read-transactions.ts';
import type { TransactionGroup } from './transaction-groups.ts';
import type { Outputs } from './transaction-outputs.ts';

/** In `TransactionSidecarRecord` and the messages below it. */
const SIDECAR_RECORD = { consensusTimestamp: 1, stateChanges: 3, actions: 4, bytecode: 5 };
const LIST = 1;
const BYTECODE = { contract: 1, initcode: 2, runtime: 3 };
/** In `SidecarFile`. */
const RECORDS = 1;

/** Numbers of the enumeration SidecarType. */
export const SIDECAR_TYPE = { stateChange: 1, action: 2, bytecode: 3 } as const;

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
