import type { DecodedItem } from '../../items/decoded-item.ts';
import { topicId } from '../../items/ledger-ids.ts';
import { rawField, walkFields } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import type { TopicState } from './topics.ts';

/** Field numbers of the keys, which are kept as their original bytes. */
const CREATE = { adminKey: 2, submitKey: 3, feeScheduleKey: 8, feeExemptKey: 9 };
const UPDATE = { adminKey: 6, submitKey: 7, feeScheduleKey: 10, feeExemptKeys: 11 };
/** In `KeyList`; `FeeExemptKeyList` has the same form. */
const KEYS = 1;
const NO_KEY = new Uint8Array();

/** What a successful creation or update tells of a topic. @see contracts/mirror-entities.md section 11.5 */
export function decodeTopics(item: DecodedItem): readonly TopicState[] {
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
        feeExemptKeys: keyList(data, CREATE.feeExemptKey),
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
      ...present('adminKey', keyOf(UPDATE.adminKey)),
      ...present('submitKey', keyOf(UPDATE.submitKey)),
      ...present('feeScheduleKey', keyOf(UPDATE.feeScheduleKey)),
      ...present('feeExemptKeys', keyOf(UPDATE.feeExemptKeys)),
    },
  ];
}

/** The keys of a repeated member as a serialized `KeyList`. */
function keyList(data: Uint8Array, field: number): Uint8Array {
  const writer = new WireWriter();
  for (const { bytes, number } of walkFields(data)) if (number === field) writer.delimited(KEYS, bytes);
  return writer.finish();
}

function present<Name extends keyof TopicState>(
  name: Name,
  bytes: Uint8Array | null,
): { readonly [Each in Name]?: Uint8Array } {
  return (bytes === null ? {} : { [name]: bytes }) as { readonly [Each in Name]?: Uint8Array };
}
