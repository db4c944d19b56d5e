import { Type } from '@sinclair/typebox';
import { parseTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, messages as texts } from '../errors.ts';
import { accountId, timestampOf } from '../items/ledger-ids.ts';
import { keyJson } from '../ledger/key-json.ts';
import { Key, NullableText } from '../list-schemas.ts';
import {
  base64,
  exact,
  type Fields,
  flag,
  id,
  integer,
  itemOf,
  nested,
  since,
  stored,
  text,
  time,
} from '../lists/fields.ts';
import { type InPath, type ListContext, listOn, numbered } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ALL_OF, integers, isInteger, oneOf, times } from '../lists/parameters.ts';
import { numberOfText } from '../parameters/token-in-path.ts';
import { messages } from '../protobuf/messages.ts';
import { walkFields } from '../protobuf/wire.ts';
import type { StoredMessage, TopicMessageRepository } from './topic-message-repository.sql.ts';
import type { Topic, TopicRepository } from './topic-repository.sql.ts';

export interface TopicContext extends ListContext {
  readonly topics: TopicRepository;
  readonly topicMessages: TopicMessageRepository;
}

/** In `KeyList`. */
const KEYS = 1;
/** What stands for the time of fees that are unknown. */
const NO_FEES = '0.0';
/** A message does not change. */
const MESSAGE_SECONDS = 600;
const USUAL_VERSION = 3n;

const topicInPath = numbered('topicId', 'topic.id', 'Number of the topic, also `0.0.n`.');

const topicKey = (of: (topic: Topic) => Uint8Array | null) =>
  exact(
    Type.Union([Key, Type.Null()], { description: 'An empty key: the topic was created without it.' }),
    (topic: Topic) => keyOrEmpty(of(topic)),
  );

const FEES = Type.Object(
  {
    created_timestamp: Type.String({ description: '`0.0` when no fees are known.' }),
    fixed_fees: Type.Array(
      Type.Object(
        {
          amount: Type.Integer(),
          collector_account_id: NullableText,
          denominating_token_id: Type.Union([Type.String(), Type.Null()], { description: 'Null: hbar.' }),
        },
        { title: 'TopicFixedFee' },
      ),
    ),
  },
  { title: 'TopicFees' },
);

export const TOPIC = itemOf<Topic>()(
  {
    admin_key: topicKey(({ adminKey }) => adminKey),
    auto_renew_account: id.orNull(({ autoRenewAccount }) => autoRenewAccount),
    auto_renew_period: integer.orNull(({ autoRenewPeriod }) => autoRenewPeriod, 'Seconds.'),
    created_timestamp: time.orNull(({ createdTimestamp }) => createdTimestamp),
    // The fees are stored as they are sent.
    custom_fees: stored(FEES, ({ fees }) => {
      const since = fees === null ? NO_FEES : printTimestamp(fees.since);
      return `{"created_timestamp":"${since}","fixed_fees":${fees?.fixed ?? '[]'}}`;
    }),
    deleted: flag.orNull(({ isDeleted }) => isDeleted),
    fee_exempt_key_list: exact(Type.Array(Key), ({ feeExemptKeys }) => keysOf(feeExemptKeys)),
    fee_schedule_key: topicKey(({ feeScheduleKey }) => feeScheduleKey),
    memo: text(({ memo }) => memo ?? ''),
    submit_key: topicKey(({ submitKey }) => submitKey),
    timestamp: since(({ changedTimestamp, createdTimestamp }) => changedTimestamp ?? createdTimestamp ?? 0n),
    topic_id: id(({ topic }) => topic),
  },
  'Topic',
);

/** The empty list, by which accounts say that they have no key, is a key like any other here. */
function keyOrEmpty(key: Uint8Array | null) {
  return key === null ? null : { ...(keyJson(key) ?? { _type: 'ProtobufEncoded', key: bareHex(key) }) };
}

function keysOf(list: Uint8Array | null) {
  const fields = list === null ? [] : [...walkFields(list)];
  return fields.filter(({ number }) => number === KEYS).map(({ bytes }) => keyOrEmpty(bytes));
}

/** @see contracts/mirror-entities.md section 9.1 */
export const oneTopic = oneOn<TopicContext>()({
  path: '/api/v1/topics/:topicId',
  summary: 'One topic',
  query: 'last',
  subject: topicInPath,
  find: ({ subject }, { topics }) => topics.find(subject),
  item: TOPIC,
  maxAgeSeconds: 5,
});

interface FirstPiece {
  readonly account: bigint | null;
  readonly nonce: number | bigint | null;
  readonly isScheduled: boolean | null;
  readonly validStart: bigint | null;
}

const FIRST_PIECE = itemOf<FirstPiece>()({
  account_id: id.orNull(({ account }) => account),
  nonce: integer.orNull(({ nonce }) => nonce),
  scheduled: flag.orNull(({ isScheduled }) => isScheduled),
  transaction_valid_start: time.orNull(({ validStart }) => validStart),
});

const CHUNK = itemOf<StoredMessage>()(
  {
    initial_transaction_id: nested(FIRST_PIECE)(firstPiece),
    number: integer(({ chunkNumber }) => chunkNumber ?? 0n),
    total: integer.orNull(({ chunkTotal }) => chunkTotal),
  },
  'ChunkInfo',
);

/** The transaction of the payer where the message does not name the first one. */
function firstPiece({ initialTransactionId: initial, payer, validStart }: StoredMessage): FirstPiece {
  if (initial === null) return { account: payer, nonce: null, isScheduled: null, validStart };
  const { accountID, nonce, scheduled, transactionValidStart } = messages.TransactionID.decode(initial);
  return {
    account: accountId(accountID),
    nonce,
    isScheduled: scheduled,
    validStart: timestampOf(transactionValidStart),
  };
}

const messageFields = {
  chunk_info: nested(CHUNK).orNull(
    (stored) => (stored.chunkNumber === null ? null : stored),
    'Position among the chunks of a longer message; null for a message in one chunk.',
  ),
  consensus_timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
  message: base64(({ message }) => message, 'Base64, or text with `encoding=utf-8`.'),
  payer_account_id: id(({ payer }) => payer),
  running_hash: base64(({ runningHash }) => runningHash),
  running_hash_version: integer(({ runningHashVersion }) => runningHashVersion ?? USUAL_VERSION),
  sequence_number: integer(({ sequenceNumber }) => sequenceNumber),
  topic_id: id(({ topic }) => topic),
} satisfies Fields<StoredMessage>;
export const MESSAGE = itemOf<StoredMessage>()(messageFields, 'TopicMessage');
/** Invalid UTF-8 becomes U+FFFD. */
const TEXT_MESSAGE = itemOf<StoredMessage>()({
  ...messageFields,
  message: text(({ message: { buffer, byteLength, byteOffset } }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('utf8'),
  ),
});

/** Messages of a topic, which need not exist. @see contracts/mirror-entities.md section 8 */
export const messageList = listOn<TopicContext>()({
  path: '/api/v1/topics/:topicId/messages',
  summary: 'Messages of a topic',
  name: 'messages',
  title: 'TopicMessageList',
  order: ['asc', 'Order by time.'],
  subject: topicInPath,
  parameters: {
    encoding: oneOf(
      ['base64', 'utf-8', 'utf8'],
      'base64',
      'Encoding of `message`; in text, invalid bytes become U+FFFD.',
    ),
    sequencenumber: integers(ALL_OF, { least: 1n, description: 'From 1; all conditions apply.' }),
    timestamp: times(ALL_OF, { description: 'All conditions apply.' }),
  },
  rows: ({ limit, order, sequencenumber: numbers, subject: topic, timestamp: times }, { topicMessages }) =>
    topicMessages.page({ topic, numbers, times, order, limit }),
  cursor: {
    parameter: 'timestamp',
    of: ({ consensusTimestamp }) => consensusTimestamp,
    print: printTimestamp,
  },
  item: MESSAGE,
  itemFor: ({ encoding }) => (encoding === 'base64' ? MESSAGE : TEXT_MESSAGE),
});

interface MessageInPath {
  readonly topic: bigint;
  readonly number: bigint;
}

const messageInPath: InPath<MessageInPath, TopicContext> = {
  params: Type.Object({
    ...topicInPath.params.properties,
    sequenceNumber: Type.String({ pattern: '^\\d{1,19}$', description: 'From 1.' }),
  }),
  read({ sequenceNumber = '', topicId = '' }, { names }) {
    const topic = numberOfText(topicId, names.home);
    const isNumber = isInteger(sequenceNumber, 1n);
    if (topic !== null && isNumber) return { topic, number: BigInt(sequenceNumber) };
    throw invalidRequest([
      ...(topic === null ? [texts.invalidParameter('topic.id')] : []),
      ...(isNumber ? [] : [texts.invalidParameter('sequencenumber')]),
    ]);
  },
};

/** @see contracts/mirror-entities.md section 8 */
export const messageByNumber = oneOn<TopicContext>()({
  path: '/api/v1/topics/:topicId/messages/:sequenceNumber',
  summary: 'One message by its number',
  query: 'first',
  subject: messageInPath,
  find: ({ subject: { number, topic } }, { topicMessages }) => topicMessages.byNumber(topic, number),
  item: MESSAGE,
  maxAgeSeconds: MESSAGE_SECONDS,
});

const timeInPath: InPath<bigint, unknown> = {
  params: Type.Object({
    timestamp: Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,9})?$', description: 'Consensus time.' }),
  }),
  read({ timestamp = '' }) {
    const time = parseTimestamp(timestamp);
    if (time === null) throw invalidRequest([texts.invalidParameter('consensus_timestamp')]);
    return time;
  },
};

/** @see contracts/mirror-entities.md section 8 */
export const messageAtTime = oneOn<TopicContext>()({
  path: '/api/v1/topics/messages/:timestamp',
  summary: 'One message by its consensus time',
  query: 'first',
  subject: timeInPath,
  find: async ({ subject: time }, { topicMessages }) =>
    time > MAX_INT64 ? null : topicMessages.atTime(time),
  item: MESSAGE,
  maxAgeSeconds: MESSAGE_SECONDS,
});
