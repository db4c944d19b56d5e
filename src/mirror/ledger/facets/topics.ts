import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import {
  type FixtureObject,
  flag,
  idIn,
  integer,
  key,
  object,
  objects,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeSince } from '../fold/change-order.ts';
import { column, stateTable } from '../fold/tables.ts';
import { decodeTopics } from './decode-topics.ts';
import type { Facet, FixtureContext, ToldLine } from './facet.ts';
import { readCustomFees } from './read-custom-fees.ts';

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

const FIRST_NANOSECOND = consensusTimestamp(0n);
/** What the answer shows of a topic of which no fees are known. */
const NO_FEES = '0.0';
/** In `KeyList`. */
const KEYS = 1;

/**
 * Reads the object of `topics/{topicId}` as far as given.
 *
 * @see contracts/mirror-entities.md section 9.1
 */
function readTopicLine(line: FixtureObject, { home }: FixtureContext): ToldLine<TopicState> {
  const topic = required(line, 'topic_id', idIn(home));
  const created = time(line, 'created_timestamp');
  const fees = object(line, 'custom_fees');
  const areFeesTold = fees !== null && fees['created_timestamp'] !== NO_FEES;
  const told = readCustomFees(fees ?? {}, { entity: topic, of: 'topic', since: FIRST_NANOSECOND }, home);
  const exempt = 'fee_exempt_key_list' in line ? objects(line, 'fee_exempt_key_list') : null;
  const row: TopicState = {
    topic,
    consensusTimestamp: told.consensusTimestamp,
    fixedFeeCount: told.fixedFees.length,
    adminKey: key(line, 'admin_key'),
    submitKey: key(line, 'submit_key'),
    feeScheduleKey: key(line, 'fee_schedule_key'),
    feeExemptKeys:
      exempt === null ? null : keyList(exempt.map((each) => required({ key: each }, 'key', key))),
  };
  const entity = { entity: topic, type: 'TOPIC' as const };
  const changed = time(object(line, 'timestamp') ?? {}, 'from');
  const [account, period] = [idIn(home)(line, 'auto_renew_account'), integer(line, 'auto_renew_period')];
  const [isDeleted, memo] = [flag(line, 'deleted'), text(line, 'memo')];
  return {
    rows: [row],
    entities: [{ ...entity, alias: null, evmAddress: null, createdTimestamp: created }],
    entityChanges: [
      {
        ...entity,
        ...(changed === null ? {} : { changedTimestamp: changed }),
        ...(account === null ? {} : { autoRenewAccount: account }),
        ...(period === null ? {} : { autoRenewPeriod: period }),
        ...(isDeleted === null ? {} : { isDeleted }),
        ...(memo === null ? {} : { memo }),
      },
    ],
    others: { customFees: areFeesTold ? [told] : [] },
  };
}

function keyList(keys: readonly Uint8Array[]): Uint8Array {
  const writer = new WireWriter();
  for (const each of keys) writer.delimited(KEYS, each);
  return writer.finish();
}
