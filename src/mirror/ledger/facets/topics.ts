import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
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
  withoutNulls,
} from '../../items/fixture-members.ts';
import { topicId } from '../../items/ledger-ids.ts';
import { rawField, walkFields } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeSince } from '../fold/change-order.ts';
import { readCustomFees } from './custom-fees.ts';
import type { Facet, FixtureContext, FixtureRow } from './facet.ts';

const TOPIC_STATE = stateTable(
  'topic_state',
  { topic: 'topic_id' },
  {
    at: column<bigint>('consensus_ts'),
    /** What fee estimates in `state` mode ask. */
    fixedFeeCount: column<bigint | number | null>('fixed_fee_count'),
    /** Empty for a topic that was created without the key. */
    adminKey: column<Uint8Array | null>('admin_key'),
    submitKey: column<Uint8Array | null>('submit_key'),
    feeScheduleKey: column<Uint8Array | null>('fee_schedule_key'),
    /** A serialized `KeyList`. */
    feeExemptKeys: column<Uint8Array | null>('fee_exempt_keys'),
  },
);
type TopicSettings = Omit<RowOf<typeof TOPIC_STATE>, 'topic' | 'at'>;
const NOTHING_KNOWN: TopicSettings = {
  fixedFeeCount: null,
  adminKey: null,
  submitKey: null,
  feeScheduleKey: null,
  feeExemptKeys: null,
};

/** What a transaction tells of a topic; absent members leave what is stored. Keys are serialized. */
export interface TopicState extends Partial<TopicSettings> {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly topic: EntityId;
}

/**
 * Keys of topics; memo, renewal and deletion are settings of their entities. The last ones hold.
 *
 * @see contracts/mirror-entities.md section 11.5
 */
export const topics: Facet<'topics', TopicState> = {
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
      rows.set({ ...NOTHING_KNOWN, ...stored, ...told, topic, at });
    }
  },

  rebuild: { replaced: ['topic_state'] },
};

const FIRST_NANOSECOND = consensusTimestamp(0n);
/** What the answer shows of a topic of which no fees are known. */
const NO_FEES = '0.0';
/** In `KeyList`; `FeeExemptKeyList` has the same form. */
const KEYS = 1;

/**
 * Reads the object of `topics/{topicId}` as far as given.
 *
 * @see contracts/mirror-entities.md section 9.1
 */
function readTopicLine(line: FixtureObject, { home }: FixtureContext): FixtureRow<TopicState> {
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
  return {
    rows: [row],
    entities: [{ ...entity, alias: null, evmAddress: null, createdTimestamp: created }],
    entityChanges: [
      {
        ...entity,
        ...withoutNulls({
          changedTimestamp: time(object(line, 'timestamp') ?? {}, 'from'),
          autoRenewAccount: idIn(home)(line, 'auto_renew_account'),
          autoRenewPeriod: integer(line, 'auto_renew_period'),
          isDeleted: flag(line, 'deleted'),
          memo: text(line, 'memo'),
        }),
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

/** Field numbers of the keys, which are kept as their original bytes. */
const CREATE = { adminKey: 2, submitKey: 3, feeScheduleKey: 8, feeExemptKey: 9 };
const UPDATE = { adminKey: 6, submitKey: 7, feeScheduleKey: 10, feeExemptKeys: 11 };
const NO_KEY = new Uint8Array();

/** What a successful creation or update tells of a topic. @see contracts/mirror-entities.md section 11.5 */
function decodeTopics(item: DecodedItem): readonly TopicState[] {
  const { body, bodyBytes, consensusTimestamp, record, type } = item;
  const { consensusCreateTopic: created, consensusUpdateTopic: updated } = body;
  const topic = topicId(created === null ? (updated?.topicID ?? null) : (record.receipt?.topicID ?? null));
  const data = rawField(bodyBytes, type) ?? NO_KEY;
  if (topic === null) return [];
  const keyOf = (field: number) => rawField(data, field);
  if (created !== null) {
    return [
      {
        topic,
        consensusTimestamp,
        fixedFeeCount: created.customFees.length,
        adminKey: keyOf(CREATE.adminKey) ?? NO_KEY,
        submitKey: keyOf(CREATE.submitKey) ?? NO_KEY,
        feeScheduleKey: keyOf(CREATE.feeScheduleKey) ?? NO_KEY,
        feeExemptKeys: repeatedKeys(data, CREATE.feeExemptKey),
      },
    ];
  }
  // An update without a list leaves it as it is; an empty one clears it.
  const fees = updated?.customFees?.fees ?? null;
  return [
    {
      topic,
      consensusTimestamp,
      ...(fees === null ? {} : { fixedFeeCount: fees.length }),
      ...withoutNulls({
        adminKey: keyOf(UPDATE.adminKey),
        submitKey: keyOf(UPDATE.submitKey),
        feeScheduleKey: keyOf(UPDATE.feeScheduleKey),
        feeExemptKeys: keyOf(UPDATE.feeExemptKeys),
      }),
    },
  ];
}

/** The keys of a repeated member as a serialized `KeyList`. */
function repeatedKeys(data: Uint8Array, field: number): Uint8Array {
  const writer = new WireWriter();
  for (const { bytes, number } of walkFields(data)) if (number === field) writer.delimited(KEYS, bytes);
  return writer.finish();
}
