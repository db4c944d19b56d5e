import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { RESULT } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import { MESSAGE, type TopicMessageRepository } from './topic-message-repository.ts';

/** Reads the table `topic_message`. */
export function createTopicMessageRepository(sql: Sql): TopicMessageRepository {
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
    page: sql.reading(function* ({ limit, numbers, order, times, topic }) {
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
    byNumber: sql.reading(byNumber.find),
    atTime: sql.reading(atTime.find),
  };
}
