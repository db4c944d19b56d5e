import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { idIn, object, required } from '../../items/fixture-members.ts';
import { topicId } from '../../items/ledger-ids.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { stateTable } from '../fold/tables.ts';

import type { Facet } from './facet.ts';
import { readCustomFees } from './read-custom-fees.ts';

/** What fee estimates in `state` mode ask of a topic. */
export interface TopicState {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly topic: EntityId;
  readonly fixedFeeCount: number;
}

declare module '../rows.ts' {
  interface FacetRows {
    readonly topics: readonly TopicState[];
  }
}

interface TopicRow {
  readonly topic: bigint;
  readonly fixedFeeCount: bigint | number;
  readonly at: bigint;
}

const TOPIC_STATE = stateTable<TopicRow>(
  'topic_state',
  { topic: 'topic_id' },
  { fixedFeeCount: 'fixed_fee_count', at: 'consensus_ts' },
);
const FIRST_NANOSECOND = consensusTimestamp(0n);

/** Custom fees of topics: the newest hold. @see contracts/streams.md section 12 */
export const topics: Facet<'topics'> = {
  name: 'topics',

  decode: {
    types: [TYPE.CONSENSUSCREATETOPIC, TYPE.CONSENSUSUPDATETOPIC],
    rows({ body, consensusTimestamp: at, record }) {
      const { consensusCreateTopic: created, consensusUpdateTopic: updated } = body;
      const topic = topicId(
        created === null ? (updated?.topicID ?? null) : (record.receipt?.topicID ?? null),
      );
      // An update without the list leaves the fees as they are.
      const fees = created?.customFees ?? updated?.customFees?.fees ?? null;
      return topic === null || fees === null
        ? []
        : [{ topic, fixedFeeCount: fees.length, consensusTimestamp: at }];
    },
  },

  fixture: {
    kind: 'topic',
    read(line, { home }) {
      const fees = object(line, 'custom_fees') ?? {};
      const topic = required(line, 'topic_id', idIn(home));
      const told = readCustomFees(fees, { entity: topic, of: 'topic', since: FIRST_NANOSECOND }, home);
      const row: TopicState = {
        topic,
        fixedFeeCount: told.fixedFees.length,
        consensusTimestamp: told.consensusTimestamp,
      };
      return { rows: [row], others: { customFees: 'custom_fees' in line ? [told] : [] } };
    },
  },

  touch(unit, keys) {
    for (const { topic } of unit.topics) keys.add(TOPIC_STATE, topic);
  },

  fold({ unit }, state) {
    const rows = state.rows(TOPIC_STATE);
    for (const { consensusTimestamp: at, fixedFeeCount, topic } of unit.topics) {
      if (at >= (rows.get(topic)?.at ?? at)) rows.set({ topic, fixedFeeCount, at });
    }
  },

  rebuild: { replaced: ['topic_state'] },
};
