import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { numberInPath } from '../parameters/token-in-path.ts';
import { topicMessageDocument } from './topic-message-document.ts';
import type { TopicMessageRepository } from './topic-message-repository.ts';

export interface TopicMessageDependencies {
  readonly messages: TopicMessageRepository;
  readonly page: PageSettings;
  readonly home: EntityHome;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const SEQUENCE_NUMBER = /^\d{1,19}$/;

/**
 * Answers `GET /api/v1/topics/{topicId}/messages`; the topic need not exist.
 *
 * @throws MirrorApiError 400 for another form of the id or bad parameters.
 * @see contracts/mirror-entities.md section 8
 */
export async function listTopicMessages(
  topicId: string,
  target: string,
  { home, maxRepeated, messages, page }: TopicMessageDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const topic = numberInPath(topicId, 'topic.id', home);
  const checks = {
    ...pageChecks(page),
    encoding: isOneOf('base64', 'utf-8', 'utf8'),
    sequencenumber: (text: string) => isSequenceNumber(parseFilter(text)?.value ?? ''),
    timestamp: isTimestampCondition,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page, 'asc');
  const encoding = operand(values.get('encoding')?.at(-1) ?? 'base64').toLowerCase();
  const times = andIntegers(timestampConditions(values.get('timestamp') ?? []));
  const numbers = andIntegers(
    (values.get('sequencenumber') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const isImpossible = times.lower > times.upper || numbers.lower > numbers.upper;
  // One more tells whether a page follows.
  const selection = { topic, times, numbers, order: request.order, limit: request.limit + 1 };
  const found = isImpossible ? [] : await messages.page(selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'timestamp',
      of: ({ consensusTimestamp }) => consensusTimestamp,
      print: printTimestamp,
      selection: { ...times, equal: null },
    },
    found,
    page,
    request,
    target,
    values,
  });
  const documents = shown.map((each) =>
    topicMessageDocument(each, encoding === 'base64' ? 'base64' : 'utf8'),
  );
  return { json: printExactJson({ messages: documents, links: { next } }), next };
}

/** From 1 to the greatest int64. */
export function isSequenceNumber(text: string): boolean {
  return SEQUENCE_NUMBER.test(text) && BigInt(text) >= 1n && BigInt(text) <= MAX_INT64;
}
