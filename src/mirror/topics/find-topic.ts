import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import { bareHex } from '../../values/hex.ts';
import { notFoundError } from '../errors.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { readQuery } from '../parameters/query-text.ts';
import { numberInPath } from '../parameters/token-in-path.ts';
import { walkFields } from '../protobuf/wire.ts';
import type { Topic, TopicRepository } from './topic-repository.ts';

export interface FindTopicDependencies {
  readonly topics: TopicRepository;
  readonly home: EntityHome;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/** In `KeyList`. */
const KEYS = 1;
/** What stands for the time of fees that nobody told. */
const NO_FEES = '"0.0"';

/**
 * Answers `GET /api/v1/topics/{topicId}`.
 *
 * @throws MirrorApiError 400 for another form of the id, then for any parameter; 404
 * @see contracts/mirror-entities.md section 9.1
 */
export async function findTopic(
  topicId: string,
  target: string,
  { home, maxRepeated, topics }: FindTopicDependencies,
): Promise<string> {
  const topic = await topics.find(numberInPath(topicId, 'topic.id', home));
  if (topic === null) throw notFoundError();
  checkParameters(readQuery(target), {}, maxRepeated);
  const { fees } = topic;
  const since = fees === null ? NO_FEES : `"${printTimestamp(fees.since)}"`;
  const shown = `{"created_timestamp":${since},"fixed_fees":${fees?.fixed ?? '[]'}}`;
  // The fees are stored as they are sent.
  return `{"custom_fees":${shown},${printExactJson(topicMembers(topic)).slice(1)}`;
}

function topicMembers(topic: Topic): ExactJson {
  return {
    admin_key: topicKey(topic.adminKey),
    auto_renew_account: printIdOrNull(topic.autoRenewAccount),
    auto_renew_period: topic.autoRenewPeriod,
    created_timestamp: topic.createdTimestamp === null ? null : printTimestamp(topic.createdTimestamp),
    deleted: topic.isDeleted,
    fee_exempt_key_list: keysOf(topic.feeExemptKeys),
    fee_schedule_key: topicKey(topic.feeScheduleKey),
    memo: topic.memo ?? '',
    submit_key: topicKey(topic.submitKey),
    timestamp: { from: printTimestamp(topic.changedTimestamp ?? topic.createdTimestamp ?? 0n), to: null },
    topic_id: printEntityId(topic.topic),
  };
}

/** The empty list, by which accounts say that they have no key, is a key like any other here. */
function topicKey(key: Uint8Array | null): ExactJson {
  if (key === null) return null;
  return { ...(keyJson(key) ?? { _type: 'ProtobufEncoded', key: bareHex(key) }) };
}

function keysOf(list: Uint8Array | null): readonly ExactJson[] {
  if (list === null) return [];
  return [...walkFields(list)].filter(({ number }) => number === KEYS).map(({ bytes }) => topicKey(bytes));
}
