import {
  type BlockRecords,
  blockRecords,
} from '../../../../src/mirror/ingest/block-records/block-records.ts';
import { ITEM, RESULT_FIELD } from '../../../../src/mirror/ingest/block-records/field-numbers.ts';
import type { BlockPart } from '../../../../src/mirror/ingest/block-records/read-transactions.ts';
import { type DecodedItem, decodeItem } from '../../../../src/mirror/items/decoded-item.ts';
import { type MessageObject, messages } from '../../../../src/mirror/protobuf/messages.ts';
import { wireFields } from '../../../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../../../src/mirror/protobuf/wire-writer.ts';
import { timeBytes } from '../../../../tools/network/block-container.ts';
import { stateChanges } from '../../../../tools/network/state-change-writer.ts';

/** A transaction of a block that a test puts together; times are nanoseconds. */
export interface MadeTransaction {
  readonly at: bigint;
  /** Member of the oneof `data`. */
  readonly data: MessageObject;
  /** Default 22, SUCCESS. */
  readonly status?: number;
  readonly parent?: bigint;
  /** Members of the record that a result has too, under their names there. */
  readonly result?: MessageObject;
  /** Of the transaction id. */
  readonly nonce?: number;
  readonly scheduled?: boolean;
  readonly usesOldHash?: boolean;
  /** Inside a batch: its body alone has it. */
  readonly isInner?: boolean;
  /** Serialized `TransactionOutput`s. */
  readonly outputs?: readonly Uint8Array[];
  /** Serialized `TraceData`. */
  readonly traces?: readonly Uint8Array[];
  /** Serialized `StateChange`s. */
  readonly changes?: readonly Uint8Array[];
  /** Valid start of the transaction id. Default: its time. */
  readonly validStart?: bigint;
}

const PAYER = { shardNum: 0n, realmNum: 0n, accountNum: 5n };
const RESULT_OF_RECORD = new Map([
  [10, RESULT_FIELD.transferList],
  [11, RESULT_FIELD.tokenTransferLists],
]);

export function signedTransaction(made: MadeTransaction): Uint8Array {
  const bodyBytes = messages.TransactionBody.encode({
    transactionID: {
      accountID: PAYER,
      transactionValidStart: { seconds: 0n, nanos: Number(made.validStart ?? made.at) },
      nonce: made.nonce ?? 0,
      scheduled: made.scheduled ?? false,
    },
    memo: `at ${made.at}`,
    ...made.data,
  });
  return messages.SignedTransaction.encode({
    bodyBytes,
    sigMap: { sigPair: [{ pubKeyPrefix: Uint8Array.of(1), ed25519: new Uint8Array(64) }] },
    ...(made.usesOldHash === true ? { useSerializedTxMessageHashAlgorithm: true } : {}),
  });
}

/** Its items, in their order. */
export function madeParts(made: MadeTransaction): readonly BlockPart[] {
  const { at, changes, isInner = false, outputs = [], parent, result = {}, status = 22, traces = [] } = made;
  const writer = new WireWriter()
    .varint(RESULT_FIELD.status, status)
    .delimited(RESULT_FIELD.consensusTimestamp, timeBytes(at))
    .delimited(RESULT_FIELD.parentConsensusTimestamp, parent === undefined ? null : timeBytes(parent));
  const record = messages.TransactionRecord.encode(result);
  for (const { bytes, number } of wireFields(record)) {
    const member = RESULT_OF_RECORD.get(number);
    if (member !== undefined) writer.delimited(member, bytes);
  }
  return [
    ...(isInner ? [] : [{ field: ITEM.signedTransaction, bytes: signedTransaction(made) }]),
    { field: ITEM.transactionResult, bytes: writer.finish() },
    ...outputs.map((bytes) => ({ field: ITEM.transactionOutput, bytes })),
    ...traces.map((bytes) => ({ field: ITEM.traceData, bytes })),
    ...(changes === undefined
      ? []
      : [{ field: ITEM.stateChanges, bytes: stateChanges(timeBytes(at), changes) }]),
  ];
}

/** What a block of these transactions tells. */
export function madeRecords(...transactions: readonly MadeTransaction[]): BlockRecords {
  return blockRecords(transactions.flatMap(madeParts));
}

/** The records of a block of these transactions, decoded. */
export function decodedRecords(...transactions: readonly MadeTransaction[]): readonly DecodedItem[] {
  return madeRecords(...transactions).items.map(decodeItem);
}

/** A serialized id of any entity with shard and realm 0. */
export function idBytes(number: bigint): Uint8Array {
  return new WireWriter().varint(3, number).finish();
}
