import { timeOf } from '../../src/mirror/ingest/block-records/entity-bytes.ts';
import { SIGNED } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import {
  readSignedTransaction,
  type SignedTransaction,
} from '../../src/mirror/ingest/block-records/signed-transaction.ts';
import type { StreamItem } from '../../src/mirror/items/stream-item.ts';
import { FieldWalk, rawField } from '../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';

/** A transaction with its record, taken apart for a block. */
export interface RecordParts {
  /** Serialized `SignedTransaction`, as blocks have it. */
  readonly signed: Uint8Array;
  readonly body: SignedTransaction;
  readonly type: number;
  readonly status: number;
  readonly consensusBytes: Uint8Array;
  readonly consensus: bigint;
  readonly parent: bigint | null;
  /** Serialized `TransactionReceipt`. */
  readonly receipt: Uint8Array;
  readonly record: {
    readonly bytes: Uint8Array;
    readonly transferList: Uint8Array | null;
    readonly tokenTransferLists: readonly Uint8Array[];
    readonly contractCallResult: Uint8Array | null;
    readonly contractCreateResult: Uint8Array | null;
  };
}

/** In `Transaction` and `TransactionRecord`. */
const TRANSACTION = { signatures: 3, body: 4, signedTransaction: 5 };
export const RECORD = {
  receipt: 1,
  consensusTimestamp: 3,
  contractCallResult: 7,
  contractCreateResult: 8,
  transferList: 10,
  tokenTransferList: 11,
  parentConsensusTimestamp: 15,
} as const;
const STATUS = 1;

export function recordParts({ record, transaction }: StreamItem): RecordParts {
  const signed = signedTransactionOf(transaction);
  const body = readSignedTransaction(signed);
  const receipt = rawField(record, RECORD.receipt) ?? new Uint8Array();
  const consensusBytes = rawField(record, RECORD.consensusTimestamp) ?? new Uint8Array();
  const parent = rawField(record, RECORD.parentConsensusTimestamp);
  let status = 0;
  for (const walk = new FieldWalk(receipt); walk.next(); ) if (walk.number === STATUS) status = walk.int;
  const tokenTransferLists: Uint8Array[] = [];
  for (const walk = new FieldWalk(record); walk.next(); ) {
    if (walk.number === RECORD.tokenTransferList) tokenTransferLists.push(walk.bytes);
  }
  return {
    signed,
    body,
    type: body.type,
    status,
    consensusBytes,
    consensus: timeOf(consensusBytes),
    parent: parent === null ? null : timeOf(parent),
    receipt,
    record: {
      bytes: record,
      transferList: rawField(record, RECORD.transferList),
      tokenTransferLists,
      contractCallResult: rawField(record, RECORD.contractCallResult),
      contractCreateResult: rawField(record, RECORD.contractCreateResult),
    },
  };
}

/** Networks turn the older envelope into the newer one, with a flag that tells how it is hashed. */
function signedTransactionOf(transaction: Uint8Array): Uint8Array {
  const signed = rawField(transaction, TRANSACTION.signedTransaction);
  if (signed !== null && signed.length > 0) return signed;
  return new WireWriter()
    .delimited(SIGNED.body, rawField(transaction, TRANSACTION.body))
    .delimited(SIGNED.signatures, rawField(transaction, TRANSACTION.signatures))
    .varint(SIGNED.usesOldHash, 1)
    .finish();
}
