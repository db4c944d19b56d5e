import type { StateFold } from '../fold/state-fold.ts';
import { stateTable } from '../fold/tables.ts';

/** What fee estimates in `state` mode ask of a token. */
interface TokenStateRow {
  readonly token: bigint;
  readonly kind: string;
  readonly customFeeCount: bigint | number;
  readonly at: bigint;
}

/** The same of a topic. */
interface TopicStateRow {
  readonly topic: bigint;
  readonly fixedFeeCount: bigint | number;
  readonly at: bigint;
}

/** Has a row for each token that was created in the imported part. */
export const TOKEN_STATE = stateTable<TokenStateRow>(
  'token_state',
  { token: 'token_id' },
  { kind: 'kind', customFeeCount: 'custom_fee_count', at: 'consensus_ts' },
);
const TOPIC_STATE = stateTable<TopicStateRow>(
  'topic_state',
  { topic: 'topic_id' },
  { fixedFeeCount: 'fixed_fee_count', at: 'consensus_ts' },
);

/** Kinds and custom fees of tokens and topics: the newest holds. */
export const feeState: StateFold = {
  touch({ tokens, topics }, keys) {
    for (const { token } of tokens) keys.add(TOKEN_STATE, token);
    for (const { topic } of topics) keys.add(TOPIC_STATE, topic);
  },

  fold({ unit }, state) {
    const tokens = state.rows(TOKEN_STATE);
    for (const { consensusTimestamp: at, customFeeCount, kind, token } of unit.tokens) {
      if (at >= (tokens.get(token)?.at ?? at)) tokens.set({ token, kind, customFeeCount, at });
    }
    const topics = state.rows(TOPIC_STATE);
    for (const { consensusTimestamp: at, fixedFeeCount, topic } of unit.topics) {
      if (at >= (topics.get(topic)?.at ?? at)) topics.set({ topic, fixedFeeCount, at });
    }
  },

  rebuild: { replaced: ['token_state', 'topic_state'] },
};
