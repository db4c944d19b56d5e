import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { TOPIC, TOPIC_FEES, type TopicRepository } from './topic-repository.ts';

/** Reads the table `topic_state`, with what is stored of the entity and its fees. */
export function createTopicRepository(sql: Sql): TopicRepository {
  const find = prepareSelect(
    sql,
    TOPIC,
    `from topic_state t left join entity e on e.id = t.topic_id left join entity_settings s on s.id = t.topic_id
     where t.topic_id = ? and (e.id is not null or s.id is not null)`,
  );
  const fees = prepareSelect(
    sql,
    TOPIC_FEES,
    'from custom_fee where entity_id = ? order by lower_ts desc limit 1',
  );
  return {
    find: sql.reading(function* (id) {
      const topic = yield* find.find(id);
      return topic === null ? null : { ...topic, fees: yield* fees.find(id) };
    }),
  };
}
