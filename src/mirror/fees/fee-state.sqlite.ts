import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { FeeStateSource, TokenFacts, TopicFacts } from './fee-state.ts';

/** Reads `token_state` and `topic_state`, which imports keep at the newest state. */
export function createSqliteFeeState(database: SqliteDatabase): FeeStateSource {
  const token = database.prepare<[bigint], TokenFacts>(
    `select kind, custom_fee_count as "customFeeCount" from token_state where token_id = ?`,
  );
  const topic = database.prepare<[bigint], TopicFacts>(
    `select fixed_fee_count as "fixedFeeCount" from topic_state where topic_id = ?`,
  );
  return {
    async token(id) {
      return token.get(id) ?? null;
    },
    async topic(id) {
      return topic.get(id) ?? null;
    },
  };
}
