import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { RESULT } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import type { StoredMessage, TopicMessageRepository } from './topic-message-repository.ts';

const COLUMNS = `m.consensus_ts as "consensusTimestamp", m.topic_id as topic, m.sequence_number as "sequenceNumber",
  m.payer, m.chunk_num as "chunkNumber", m.chunk_total as "chunkTotal",
  m.initial_transaction_id as "initialTransactionId", m.valid_start as "validStart",
  m.running_hash_version as "runningHashVersion", m.running_hash as "runningHash", m.message`;

/** Reads the table `topic_message`. */
export function createSqliteTopicMessageRepository(database: SqliteDatabase): TopicMessageRepository {
  const select = (rest: string) =>
    database.prepare<unknown[], StoredMessage>(`select ${COLUMNS} from ${rest}`).safeIntegers(true);
  const inOrder = (order: 'asc' | 'desc') =>
    select(
      `topic_message m indexed by topic_message_by_topic where m.topic_id = ? and m.consensus_ts between ? and ?
         and m.consensus_ts not in (select value from json_each(?))
         and m.sequence_number not in (select value from json_each(?))
       order by m.consensus_ts ${order} limit ?`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  const timeOf = (rest: string) =>
    database
      .prepare<[bigint, bigint], bigint>(
        `select consensus_ts from topic_message indexed by topic_message_by_number where topic_id = ? and ${rest} limit 1`,
      )
      .safeIntegers(true)
      .pluck();
  const firstFrom = timeOf('sequence_number >= ? order by sequence_number, consensus_ts');
  const lastUpTo = timeOf('sequence_number <= ? order by sequence_number desc, consensus_ts desc');
  const byNumber = select(
    `topic_message m indexed by topic_message_by_number where m.topic_id = ? and m.sequence_number = ?
     order by m.consensus_ts limit 1`,
  );
  // A fixture may state a message without its transaction.
  const atTime = select(
    `topic_message m left join tx t on t.consensus_ts = m.consensus_ts
     where m.consensus_ts = ? and (t.consensus_ts is null
       or t.type = ${TYPE.CONSENSUSSUBMITMESSAGE} and t.result = ${RESULT.SUCCESS})`,
  );

  return {
    async page({ limit, numbers, order, times, topic }) {
      // Numbers ascend with time, so bounds of one are bounds of the other and the scan begins at the right place.
      const first = firstFrom.get(topic, numbers.lower);
      const last = lastUpTo.get(topic, numbers.upper);
      if (first === undefined || last === undefined) return [];
      const from = first > times.lower ? first : times.lower;
      const to = last < times.upper ? last : times.upper;
      if (from > to) return [];
      return pages[order].all(topic, from, to, list(times.excluded), list(numbers.excluded), limit);
    },
    async byNumber(topic, sequenceNumber) {
      return byNumber.get(topic, sequenceNumber) ?? null;
    },
    async atTime(consensusTimestamp) {
      return atTime.get(consensusTimestamp) ?? null;
    },
  };
}

function list(numbers: ReadonlySet<bigint>): string {
  return `[${[...numbers].join(',')}]`;
}
