import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeSince } from '../fold/change-order.ts';
import { column, stateTable } from '../fold/tables.ts';
import { decodeTopics } from './decode-topics.ts';
import type { Facet } from './facet.ts';
import { readTopicLine } from './read-topic-line.ts';

/** What a transaction tells of a topic; undefined members leave what is stored. Keys are serialized. */
export interface TopicState {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly topic: EntityId;
  /** What fee estimates in `state` mode ask. */
  readonly fixedFeeCount?: number;
  /** Empty for a topic that was created without the key. */
  readonly adminKey?: Uint8Array | null;
  readonly submitKey?: Uint8Array | null;
  readonly feeScheduleKey?: Uint8Array | null;
  /** A serialized `KeyList`. */
  readonly feeExemptKeys?: Uint8Array | null;
}

declare module '../rows.ts' {
  interface FacetRows {
    readonly topics: readonly TopicState[];
  }
}

const TOPIC_STATE = stateTable(
  'topic_state',
  { topic: 'topic_id' },
  {
    at: column<bigint>('consensus_ts'),
    fixedFeeCount: column<bigint | number | null>('fixed_fee_count'),
    adminKey: column<Uint8Array | null>('admin_key'),
    submitKey: column<Uint8Array | null>('submit_key'),
    feeScheduleKey: column<Uint8Array | null>('fee_schedule_key'),
    feeExemptKeys: column<Uint8Array | null>('fee_exempt_keys'),
  },
);

/**
 * Keys of topics; memo, renewal and deletion are settings of their entities. The last ones hold.
 *
 * @see contracts/mirror-entities.md section 11.5
 */
export const topics: Facet<'topics'> = {
  name: 'topics',

  decode: { types: [TYPE.CONSENSUSCREATETOPIC, TYPE.CONSENSUSUPDATETOPIC], rows: decodeTopics },

  fixture: { kind: 'topic', read: readTopicLine },

  touch(unit, keys) {
    for (const { topic } of unit.topics) keys.add(TOPIC_STATE, topic);
  },

  fold(folded, state) {
    const rows = state.rows(TOPIC_STATE);
    for (const { consensusTimestamp, topic, ...told } of folded.unit.topics) {
      const stored = rows.get(topic);
      const at = changeSince(consensusTimestamp, stored?.at ?? null, folded);
      if (at === null) continue;
      const { adminKey, feeExemptKeys, feeScheduleKey, fixedFeeCount, submitKey } = told;
      rows.set({
        topic,
        at,
        fixedFeeCount: given(fixedFeeCount, stored?.fixedFeeCount),
        adminKey: given(adminKey, stored?.adminKey),
        submitKey: given(submitKey, stored?.submitKey),
        feeScheduleKey: given(feeScheduleKey, stored?.feeScheduleKey),
        feeExemptKeys: given(feeExemptKeys, stored?.feeExemptKeys),
      });
    }
  },

  rebuild: { replaced: ['topic_state'] },
};

function given<T>(told: T | undefined, stored: T | undefined): T | null {
  return told === undefined ? (stored ?? null) : told;
}
