import { bytes, int64, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A message as the ledger stored it. */
export const MESSAGE = rowTable({
  consensusTimestamp: int64('m.consensus_ts'),
  topic: int64('m.topic_id'),
  sequenceNumber: int64('m.sequence_number'),
  payer: int64('m.payer'),
  /** Null for a message in one piece. */
  chunkNumber: int64<bigint | null>('m.chunk_num'),
  chunkTotal: int64<bigint | null>('m.chunk_total'),
  /** Serialized `TransactionID` of the first piece. */
  initialTransactionId: bytes<Uint8Array | null>('m.initial_transaction_id'),
  validStart: int64<bigint | null>('m.valid_start'),
  /** Null for 3. */
  runningHashVersion: int64<bigint | null>('m.running_hash_version'),
  runningHash: bytes('m.running_hash'),
  message: bytes('m.message'),
});
export type StoredMessage = RecordOf<typeof MESSAGE>;

/** Which messages of a topic a page shows. */
export interface MessageSelection extends PageRequest {
  readonly topic: bigint;
  readonly numbers: AndedIntegers;
  readonly times: AndedIntegers;
}

/** The read side of messages. The numbers of a topic ascend in the order of the chain, which times may leave. */
export interface TopicMessageRepository {
  /** In order of time. */
  page(selection: MessageSelection): Promise<readonly StoredMessage[]>;
  byNumber(topic: bigint, sequenceNumber: bigint): Promise<StoredMessage | null>;
  /** Null as well when the transaction of that time did not submit it. */
  atTime(consensusTimestamp: bigint): Promise<StoredMessage | null>;
}
