import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { deletedOf } from '../ledger/entity-reader.sql.ts';

/** A topic as it is; null is what the imported ledger does not tell. Keys are serialized. */
const TOPIC = rowTable({
  topic: int64('t.topic_id'),
  /** Empty for a topic that was created without the key. */
  adminKey: bytes<Uint8Array | null>('t.admin_key'),
  submitKey: bytes<Uint8Array | null>('t.submit_key'),
  feeScheduleKey: bytes<Uint8Array | null>('t.fee_schedule_key'),
  /** A serialized `KeyList`. */
  feeExemptKeys: bytes<Uint8Array | null>('t.fee_exempt_keys'),
  createdTimestamp: int64<bigint | null>('e.created_ts'),
  /** Since when its settings hold. */
  changedTimestamp: int64<bigint | null>('s.changed_ts'),
  isDeleted: flag<boolean | null>(deletedOf('s.deleted', 'e.created_ts')),
  memo: text<string | null>('s.memo'),
  /** Seconds. */
  autoRenewPeriod: int64<bigint | null>('s.auto_renew_period'),
  autoRenewAccount: int64<bigint | null>('s.auto_renew_account'),
});

const TOPIC_FEES = rowTable({
  since: int64('lower_ts'),
  /** JSON list as the answer shows it. */
  fixed: text('fixed_fees'),
});

export interface Topic extends RecordOf<typeof TOPIC> {
  /** The newest fees; null when none were told. */
  readonly fees: RecordOf<typeof TOPIC_FEES> | null;
}

/** The read side of topics. */
export type TopicRepository = ReturnType<typeof createTopicRepository>;

/** Reads the table `topic_state`, with what is stored of the entity and its fees. */
export function createTopicRepository(sql: Sql) {
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
    /** Null unless the ledger knows both the topic and its entity. */
    find: sql.reading(function* (id: bigint) {
      const topic = yield* find.find(id);
      return topic === null ? null : { ...topic, fees: yield* fees.find(id) };
    }),
  };
}
