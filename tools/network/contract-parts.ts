import { trimmed } from '../../src/mirror/evm/bytes.ts';
import { EVM_RESULT, EVM_TRACE } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { FieldWalk, rawField } from '../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { output } from './output-parts.ts';
import type { RecordParts } from './record-parts.ts';
import type { SidecarParts, UsedStorage } from './sidecar-parts.ts';

/** Members of `ContractFunctionResult` with a length, and what they are in `EvmTransactionResult`. */
const EVM_OF_RESULT: ReadonlyMap<number, number> = new Map([
  [1, EVM_RESULT.contract],
  [2, EVM_RESULT.resultData],
  [3, EVM_RESULT.errorMessage],
  [5, EVM_RESULT.gasUsed],
  [13, EVM_RESULT.sender],
  [14, EVM_RESULT.contractNonces],
  [15, EVM_RESULT.signerNonce],
]);
/** Those of the call, and what they are in `InternalCallContext`. */
const CONTEXT_OF_RESULT: ReadonlyMap<number, number> = new Map([
  [10, 1],
  [11, 2],
  [12, 3],
]);
const LOGS = 6;
/** In `ContractLoginfo` and `EvmTransactionLog`. */
const LOG_INFO = { contract: 1, topic: 3, data: 4 };
const LOG = { contract: 1, data: 2, topic: 3 };
const EXPLICIT_INITCODE = 3;
/** In `ContractSlotUsage` and `SlotRead`. */
const SLOT_USAGE = { contract: 1, writtenKeys: 3, read: 4 };
const WRITTEN_KEY = 1;
const SLOT_READ = { index: 1, key: 2, value: 3 };
const [CALLED, CREATED] = [1, 2];
const RUNS: ReadonlySet<number> = new Set([
  TYPE.CONTRACTCALL,
  TYPE.CONTRACTCREATEINSTANCE,
  TYPE.ETHEREUMTRANSACTION,
]);
const RECEIPT_CONTRACT = 4;
const RESULT_CONTRACT = 1;

/** The output of a transaction that ran a contract; null when its record has no result of one. */
export function contractOutput({ receipt, record, type }: RecordParts): Uint8Array | null {
  const result = record.contractCreateResult ?? record.contractCallResult ?? bareResult(receipt, type);
  if (result === null) return null;
  const isCreation = record.contractCreateResult !== null;
  const kind =
    type === TYPE.ETHEREUMTRANSACTION
      ? 'ethereum'
      : type === TYPE.CONTRACTCREATEINSTANCE
        ? 'contractCreate'
        : 'contractCall';
  const member = kind === 'ethereum' && isCreation ? CREATED : CALLED;
  return output(kind, new WireWriter().delimited(member, evmResult(result)).finish());
}

/** Serializes the `EvmTraceData` of a transaction; null when there is nothing to tell. */
export function contractTrace(
  { record }: RecordParts,
  { actions, initcode, storage }: SidecarParts,
): Uint8Array | null {
  const result = record.contractCreateResult ?? record.contractCallResult;
  const logs = result === null ? [] : logsOf(result);
  if (logs.length + actions.length + storage.length === 0 && initcode === null) return null;
  const executed =
    initcode === null ? null : new WireWriter().delimited(EXPLICIT_INITCODE, initcode).finish();
  const writer = new WireWriter().delimited(EVM_TRACE.initcode, executed);
  for (const action of actions) writer.delimited(EVM_TRACE.action, action);
  for (const used of storage) writer.delimited(EVM_TRACE.slotUsage, slotUsage(used));
  for (const log of logs) writer.delimited(EVM_TRACE.log, log);
  return writer.finish();
}

/** A slot that was written is named by its place among those. */
function slotUsage({ contract, slots }: UsedStorage): Uint8Array {
  const keys = new WireWriter();
  const reads: Uint8Array[] = [];
  let place = 0;
  for (const { key, read, written } of slots) {
    const slot = new WireWriter();
    if (written === null) slot.delimited(SLOT_READ.key, key);
    else {
      keys.delimited(WRITTEN_KEY, key);
      slot.setVarint(SLOT_READ.index, place++);
    }
    reads.push(slot.delimited(SLOT_READ.value, read).finish());
  }
  const usage = new WireWriter()
    .delimited(SLOT_USAGE.contract, contract)
    .delimited(SLOT_USAGE.writtenKeys, keys.finish());
  for (const read of reads) usage.delimited(SLOT_USAGE.read, read);
  return usage.finish();
}

/** Receipts of old releases name the contract without a result beside them. */
function bareResult(receipt: Uint8Array, type: number): Uint8Array | null {
  const contract = RUNS.has(type) ? rawField(receipt, RECEIPT_CONTRACT) : null;
  return contract === null ? null : new WireWriter().delimited(RESULT_CONTRACT, contract).finish();
}

function evmResult(result: Uint8Array): Uint8Array {
  const [writer, context] = [new WireWriter(), new WireWriter()];
  let hasContext = false;
  for (const walk = new FieldWalk(result); walk.next(); ) {
    const [member, ofContext] = [EVM_OF_RESULT.get(walk.number), CONTEXT_OF_RESULT.get(walk.number)];
    if (member !== undefined) copy(writer, member, walk);
    else if (ofContext !== undefined) {
      copy(context, ofContext, walk);
      hasContext = true;
    }
  }
  return writer.delimited(EVM_RESULT.callContext, hasContext ? context.finish() : null).finish();
}

function copy(writer: WireWriter, member: number, { bytes, wireType }: FieldWalk): void {
  if (wireType === 0) writer.rawVarint(member, bytes);
  else writer.delimited(member, bytes);
}

function logsOf(result: Uint8Array): readonly Uint8Array[] {
  const logs: Uint8Array[] = [];
  for (const walk = new FieldWalk(result); walk.next(); ) {
    if (walk.number !== LOGS) continue;
    const info = walk.bytes;
    const writer = new WireWriter()
      .delimited(LOG.contract, rawField(info, LOG_INFO.contract))
      .delimited(LOG.data, rawField(info, LOG_INFO.data));
    for (const field = new FieldWalk(info); field.next(); ) {
      if (field.number === LOG_INFO.topic) writer.delimited(LOG.topic, trimmed(field.bytes));
    }
    logs.push(writer.finish());
  }
  return logs;
}
