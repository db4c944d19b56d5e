import type { Sql } from '../../storage/sql/sql.ts';
import type { TopicRepository } from './topic-repository.ts';

interface TopicRow {
  readonly admin_key: Buffer | null;
  readonly submit_key: Buffer | null;
  readonly fee_schedule_key: Buffer | null;
  readonly fee_exempt_keys: Buffer | null;
  readonly created_ts: bigint | null;
  readonly changed_ts: bigint | null;
  readonly deleted: bigint | null;
  readonly memo: string | null;
  readonly auto_renew_period: bigint | null;
  readonly auto_renew_account: bigint | null;
}

interface FeeRow {
  readonly lower_ts: bigint;
  readonly fixed_fees: string;
}

/** Reads the table `topic_state`, with what is stored of the entity and its fees. */
export function createTopicRepository(sql: Sql): TopicRepository {
  const find = sql.prepareExact<[bigint], TopicRow>(
    `select t.admin_key, t.submit_key, t.fee_schedule_key, t.fee_exempt_keys, e.created_ts, s.changed_ts, s.deleted,
       s.memo, s.auto_renew_period, s.auto_renew_account
     from topic_state t left join entity e on e.id = t.topic_id left join entity_settings s on s.id = t.topic_id
     where t.topic_id = ? and (e.id is not null or s.id is not null)`,
  );
  const fees = sql.prepareExact<[bigint], FeeRow>(
    `select lower_ts, fixed_fees from custom_fee where entity_id = ?
     order by lower_ts desc limit 1`,
  );
  return {
    find: sql.reading(function* (topic) {
      const row = yield* find.get(topic);
      if (row === undefined) return null;
      const fee = yield* fees.get(topic);
      return {
        topic,
        adminKey: row.admin_key,
        submitKey: row.submit_key,
        feeScheduleKey: row.fee_schedule_key,
        feeExemptKeys: row.fee_exempt_keys,
        createdTimestamp: row.created_ts,
        changedTimestamp: row.changed_ts,
        // What was created here and not deleted is there.
        isDeleted: row.deleted === null ? (row.created_ts === null ? null : false) : row.deleted === 1n,
        memo: row.memo,
        autoRenewPeriod: row.auto_renew_period,
        autoRenewAccount: row.auto_renew_account,
        fees: fee === undefined ? null : { since: fee.lower_ts, fixed: fee.fixed_fees },
      };
    }),
  };
}
