import { Type } from '@sinclair/typebox';
import { Key, Links, NullableText, TimeRange } from '../list-schemas.ts';

const ID_PATTERN = '^(\\d{1,10}\\.){0,2}\\d{1,12}$';
const TIME_CONDITION = '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$';

const NullableKey = Type.Union([Key, Type.Null()], {
  description: 'An empty key: the topic was created without it.',
});

/** @see contracts/mirror-entities.md section 9.1 */
export const TopicAnswer = Type.Object(
  {
    admin_key: NullableKey,
    auto_renew_account: NullableText,
    auto_renew_period: Type.Union([Type.Integer(), Type.Null()], { description: 'Seconds.' }),
    created_timestamp: NullableText,
    custom_fees: Type.Object(
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
    ),
    deleted: Type.Union([Type.Boolean(), Type.Null()]),
    fee_exempt_key_list: Type.Array(Key),
    fee_schedule_key: NullableKey,
    memo: Type.String(),
    submit_key: NullableKey,
    timestamp: TimeRange,
    topic_id: Type.String(),
  },
  { title: 'Topic' },
);

/** One message of a topic. @see contracts/mirror-entities.md section 8 */
export const TopicMessageAnswer = Type.Object(
  {
    chunk_info: Type.Union(
      [
        Type.Object(
          {
            initial_transaction_id: Type.Object({
              account_id: NullableText,
              nonce: Type.Union([Type.Integer(), Type.Null()]),
              scheduled: Type.Union([Type.Boolean(), Type.Null()]),
              transaction_valid_start: NullableText,
            }),
            number: Type.Integer(),
            total: Type.Integer(),
          },
          { title: 'ChunkInfo' },
        ),
        Type.Null(),
      ],
      { description: 'The place among the pieces of a longer message; null for a message in one piece.' },
    ),
    consensus_timestamp: Type.String(),
    message: Type.String({ description: 'Base64, or text when the list is asked for utf-8.' }),
    payer_account_id: Type.String(),
    running_hash: Type.String({ description: 'Base64.' }),
    running_hash_version: Type.Integer(),
    sequence_number: Type.Integer(),
    topic_id: Type.String(),
  },
  { title: 'TopicMessage' },
);

export const TopicMessageListAnswer = Type.Object(
  {
    messages: Type.Array(TopicMessageAnswer),
    links: Links,
  },
  { title: 'TopicMessageList' },
);

export const TopicMessageListQuery = Type.Object({
  encoding: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['base64', 'utf-8', 'utf8'],
      default: 'base64',
      description: 'How `message` is written; as text, invalid bytes become U+FFFD.',
    }),
  ),
  sequencenumber: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$' }), {
      description: 'From 1; all conditions hold.',
    }),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: TIME_CONDITION }), { description: 'All conditions hold.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Order by time.',
    }),
  ),
});

const topicId = Type.String({ pattern: ID_PATTERN, description: 'Number of the topic, also `0.0.n`.' });

export const TopicPath = Type.Object({ topicId });

export const TopicMessagePath = Type.Object({
  topicId,
  sequenceNumber: Type.String({ pattern: '^\\d{1,19}$', description: 'From 1.' }),
});

export const MessageTimePath = Type.Object({
  timestamp: Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,9})?$', description: 'Consensus time.' }),
});
