import { parseTimestamp } from '../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, notFoundError, messages as texts } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { numberOfText } from '../parameters/token-in-path.ts';
import { isSequenceNumber, type TopicMessageDependencies } from './list-topic-messages.ts';
import { topicMessageDocument } from './topic-message-document.ts';
import type { StoredMessage } from './topic-message-repository.ts';

type FindDependencies = Pick<TopicMessageDependencies, 'home' | 'maxRepeated' | 'messages'>;

/**
 * Answers `GET /api/v1/topics/{topicId}/messages/{sequenceNumber}`.
 *
 * @throws MirrorApiError 400 for any parameter, then for each part of the path that has another form; 404
 * @see contracts/mirror-entities.md section 8
 */
export async function findMessageByNumber(
  topicId: string,
  sequenceNumber: string,
  target: string,
  { home, maxRepeated, messages }: FindDependencies,
): Promise<string> {
  checkParameters(readQuery(target), {}, maxRepeated);
  const topic = numberOfText(topicId, home);
  const isNumber = isSequenceNumber(sequenceNumber);
  if (topic === null || !isNumber) {
    throw invalidRequest([
      ...(topic === null ? [texts.invalidParameter('topic.id')] : []),
      ...(isNumber ? [] : [texts.invalidParameter('sequencenumber')]),
    ]);
  }
  return document(await messages.byNumber(topic, BigInt(sequenceNumber)));
}

/**
 * Answers `GET /api/v1/topics/messages/{timestamp}`.
 *
 * @throws MirrorApiError 400 for any parameter or another form of the time, 404 when no message was submitted then.
 * @see contracts/mirror-entities.md section 8
 */
export async function findMessageAtTime(
  timestamp: string,
  target: string,
  { maxRepeated, messages }: FindDependencies,
): Promise<string> {
  checkParameters(readQuery(target), {}, maxRepeated);
  const time = parseTimestamp(timestamp);
  if (time === null) throw invalidRequest([texts.invalidParameter('consensus_timestamp')]);
  return document(time > MAX_INT64 ? null : await messages.atTime(time));
}

function document(message: StoredMessage | null): string {
  if (message === null) throw notFoundError();
  return printExactJson(topicMessageDocument(message, 'base64'));
}
