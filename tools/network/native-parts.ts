import { ITEM, RESULT_FIELD, TRACE } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import type { BlockPart } from '../../src/mirror/ingest/block-records/read-transactions.ts';
import type { StreamItem } from '../../src/mirror/items/stream-item.ts';
import { FieldWalk, wireFields } from '../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { contractOutput, contractTrace } from './contract-parts.ts';
import { createdOutputs } from './output-parts.ts';
import { type RecordParts, recordParts } from './record-parts.ts';
import { NO_PARTS, type SidecarParts, sidecarParts } from './sidecar-parts.ts';
import { stateChanges } from './state-change-writer.ts';
import type { WrittenState } from './written-state.ts';

/** Members of `TransactionRecord` and what they are in `TransactionResult`. */
const RESULT_OF_RECORD: ReadonlyMap<number, number> = new Map([
  [3, RESULT_FIELD.consensusTimestamp],
  [6, RESULT_FIELD.fee],
  [10, RESULT_FIELD.transferList],
  [11, RESULT_FIELD.tokenTransferLists],
  [12, RESULT_FIELD.scheduleRef],
  [13, RESULT_FIELD.assessedCustomFees],
  [14, RESULT_FIELD.automaticTokenAssociations],
  [15, RESULT_FIELD.parentConsensusTimestamp],
  [18, RESULT_FIELD.paidStakingRewards],
  [23, RESULT_FIELD.highVolumeMultiplier],
]);
const BATCH_TRANSACTIONS = 1;
/** Items of a round without which blocks do not come. */
const [ROUND_HEADER, EVENT_HEADER] = [3, 2];
const ROUND_NUMBER = 1;

/**
 * The items of a native block that tells these transactions, between its header and its footer: the inverse of what
 * imports make of one. Exchange rates of receipts are lost, as in a network's blocks.
 *
 * @param state of the ledger before them; it is brought up to date
 * @param sidecar a serialized `SidecarFile` with the codes of the contracts that they create and the traces of calls; null for none
 * @see contracts/streams.md sections 9.3 and 9.4
 */
export function nativeParts(
  items: readonly StreamItem[],
  state: WrittenState,
  sidecar: Uint8Array | null = null,
): readonly BlockPart[] {
  const transactions = items.map(recordParts);
  const writer = new WireWriter();
  const parts: BlockPart[] = [
    { field: ROUND_HEADER, bytes: writer.varint(ROUND_NUMBER, 1).finish() },
    { field: EVENT_HEADER, bytes: new Uint8Array() },
  ];
  const told = sidecar === null ? new Map<bigint, SidecarParts>() : sidecarParts(sidecar);
  const toldOf = ({ consensus }: RecordParts) => told.get(consensus) ?? NO_PARTS;
  const batched = new Set(transactions.flatMap(innerTransactions));
  for (const group of groupsOf(transactions)) {
    for (const each of group.transactions) {
      state.apply(each, toldOf(each));
    }
    const changes = state.takeChanges();
    for (const each of group.transactions) {
      const isInner = each.parent !== null && batched.has(Buffer.from(each.signed).toString('base64'));
      if (!isInner) parts.push({ field: ITEM.signedTransaction, bytes: each.signed });
      parts.push({ field: ITEM.transactionResult, bytes: resultOf(each, writer) });
      for (const bytes of outputsOf(each)) parts.push({ field: ITEM.transactionOutput, bytes });
      const trace = contractTrace(each, toldOf(each));
      if (trace !== null) {
        parts.push({ field: ITEM.traceData, bytes: writer.delimited(TRACE.evm, trace).finish() });
      }
      if (each === group.top) {
        parts.push({ field: ITEM.stateChanges, bytes: stateChanges(each.consensusBytes, changes) });
      }
    }
  }
  return parts;
}

interface Group {
  readonly transactions: readonly RecordParts[];
  /** The one that the state changes stand with. */
  readonly top: RecordParts;
}

/** Children follow their parent, or stand before the transaction with the same id. */
function groupsOf(transactions: readonly RecordParts[]): readonly Group[] {
  const groups: { transactions: RecordParts[]; top: RecordParts }[] = [];
  let before: RecordParts[] = [];
  for (const [index, each] of transactions.entries()) {
    const next = transactions[index + 1];
    const last = groups.at(-1);
    if (each.parent !== null && last !== undefined) last.transactions.push(each);
    else if (next !== undefined && isChildBefore(each, next)) before.push(each);
    else {
      groups.push({ transactions: [...before, each], top: each });
      before = [];
    }
  }
  return groups;
}

const NONCE = 4;

function isChildBefore(each: RecordParts, next: RecordParts): boolean {
  const [id, other] = [each, next].map(({ body }) => idWithoutNonce(body.transactionId));
  const hasNonce = wireFields(each.body.transactionId ?? new Uint8Array()).some(
    ({ number }) => number === NONCE,
  );
  return hasNonce && next.parent === null && id === other;
}

function idWithoutNonce(id: Uint8Array | null): string {
  return wireFields(id ?? new Uint8Array())
    .filter(({ number }) => number !== NONCE)
    .map(({ bytes, number }) => `${number}:${Buffer.from(bytes).toString('hex')}`)
    .join();
}

function innerTransactions({ body, type }: RecordParts): readonly string[] {
  if (type !== TYPE.ATOMICBATCH) return [];
  return wireFields(body.data)
    .filter(({ number }) => number === BATCH_TRANSACTIONS)
    .map(({ bytes }) => Buffer.from(bytes).toString('base64'));
}

function resultOf({ record, status }: RecordParts, writer: WireWriter): Uint8Array {
  writer.varint(RESULT_FIELD.status, status);
  for (const walk = new FieldWalk(record.bytes); walk.next(); ) {
    const member = RESULT_OF_RECORD.get(walk.number);
    if (member === undefined) continue;
    if (walk.wireType === 0) writer.rawVarint(member, walk.bytes);
    else writer.delimited(member, walk.bytes);
  }
  return writer.finish();
}

function outputsOf(parts: RecordParts): readonly Uint8Array[] {
  const contract = contractOutput(parts);
  return [...createdOutputs(parts), ...(contract === null ? [] : [contract])];
}
