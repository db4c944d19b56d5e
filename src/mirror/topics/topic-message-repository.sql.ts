import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { bytes, int64, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';
import { RESULT } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';

/** A message as the ledger stored it. */
const MESSAGE = rowTable({
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
interface MessageSelection extends PageRequest {
  readonly topic: bigint;
  readonly numbers: AndedIntegers;
  readonly times: AndedIntegers;
}

/** The read side of messages. The numbers of a topic ascend in the order of the chain, which times may leave. */
export type TopicMessageRepository = ReturnType<typeof createTopicMessageRepository>;

/** Reads the table `topic_message`. */
export function createTopicMessageRepository(sql: Sql) {
  const { each, indexedBy, list } = sql.dialect;
  const select = (rest: string) => prepareSelect(sql, MESSAGE, `from ${rest}`);
  const inOrder = (order: 'asc' | 'desc') =>
    select(
      `topic_message m ${indexedBy('topic_message_by_topic')} where m.topic_id = ? and m.consensus_ts between ? and ?
         and m.sequence_number between ? and ?
         and m.consensus_ts not in (select value from ${each('listed')})
         and m.sequence_number not in (select value from ${each('listed')})
       order by m.consensus_ts ${order} limit ?`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  const timeOf = (rest: string) =>
    sql.prepareExactValue<[bigint, bigint], bigint>(
      `select consensus_ts from topic_message ${indexedBy('topic_message_by_number')} where topic_id = ? and ${rest} limit 1`,
    );
  const firstFrom = timeOf('sequence_number >= ? order by sequence_number, consensus_ts');
  const lastUpTo = timeOf('sequence_number <= ? order by sequence_number desc, consensus_ts desc');
  const stepBack = sql.prepareExactValue<[], bigint>('select step_back from ledger_state where only_row = 1');
  const byNumber = select(
    `topic_message m ${indexedBy('topic_message_by_number')} where m.topic_id = ? and m.sequence_number = ?
     order by m.consensus_ts limit 1`,
  );
  // A fixture may state a message without its transaction.
  const atTime = select(
    `topic_message m left join tx t on t.consensus_ts = m.consensus_ts
     where m.consensus_ts = ? and (t.consensus_ts is null
       or t.type = ${TYPE.CONSENSUSSUBMITMESSAGE} and t.result = ${RESULT.SUCCESS})`,
  );

  return {
    /** In order of time. */
    page: sql.reading(function* ({ limit, numbers, order, times, topic }: MessageSelection) {
      // Where times never stepped back, bounds of numbers are bounds of times: the scan begins at the right place.
      const first = yield* firstFrom.get(topic, numbers.lower);
      const last = yield* lastUpTo.get(topic, numbers.upper);
      if (first === undefined || last === undefined) return [];
      const most = (yield* stepBack.get()) ?? 0n;
      const from = first - most > times.lower ? first - most : times.lower;
      const to = last + most < times.upper ? last + most : times.upper;
      if (from > to) return [];
      const within = [topic, from, to, numbers.lower, numbers.upper] as const;
      return yield* pages[order].all(...within, list(times.excluded), list(numbers.excluded), limit);
    }),
    byNumber: sql.reading<[topic: bigint, sequenceNumber: bigint], StoredMessage | null>(byNumber.find),
    /** Null as well when the transaction of that time did not submit it. */
    atTime: sql.reading<[consensusTimestamp: bigint], StoredMessage | null>(atTime.find),
  };
}
