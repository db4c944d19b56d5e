import { Type } from '@sinclair/typebox';
import { Key, Links, NullableText } from '../list-schemas.ts';

/** A transaction that waits for signatures. @see contracts/mirror-entities.md section 9.2 */
export const ScheduleAnswer = Type.Object(
  {
    admin_key: Type.Union([Key, Type.Null()]),
    consensus_timestamp: Type.String({ description: 'When it was created.' }),
    creator_account_id: Type.String(),
    deleted: Type.Union([Type.Boolean(), Type.Null()]),
    executed_timestamp: Type.Union([Type.String(), Type.Null()], {
      description: 'When it was executed, also when the execution failed.',
    }),
    expiration_time: NullableText,
    memo: NullableText,
    payer_account_id: Type.String(),
    schedule_id: Type.String(),
    signatures: Type.Array(
      Type.Object(
        {
          consensus_timestamp: Type.String(),
          public_key_prefix: Type.String({ description: 'Base64.' }),
          signature: Type.String({ description: 'Base64.' }),
          type: Type.Unsafe<string>({
            type: 'string',
            enum: ['CONTRACT', 'ED25519', 'RSA_3072', 'ECDSA_384', 'ECDSA_SECP256K1', 'UNKNOWN'],
          }),
        },
        { title: 'ScheduleSignature' },
      ),
    ),
    transaction_body: Type.String({ description: 'Base64 of the serialized SchedulableTransactionBody.' }),
    wait_for_expiry: Type.Boolean(),
  },
  { title: 'Schedule' },
);

export const ScheduleListAnswer = Type.Object(
  {
    schedules: Type.Array(ScheduleAnswer),
    links: Links,
  },
  { title: 'ScheduleList' },
);

const idCondition = Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?(\\d{1,10}\\.){0,2}\\d{1,12}$' });

export const ScheduleListQuery = Type.Object({
  'account.id': Type.Optional(
    Type.Array(
      Type.String({
        pattern:
          '^((eq|gt|gte|lt|lte|ne):)?((\\d{1,10}\\.){0,2}\\d{1,12}|(0x|(\\d{1,5}\\.){0,2})[A-Fa-f0-9]{40})$',
      }),
      { description: 'The creator; all conditions hold.' },
    ),
  ),
  'schedule.id': Type.Optional(Type.Array(idCondition, { description: 'All conditions hold.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Order by number.',
    }),
  ),
});

export const SchedulePath = Type.Object({
  scheduleId: Type.String({
    pattern: '^(\\d{1,10}\\.){0,2}\\d{1,12}$',
    description: 'Number of the schedule, also `0.0.n`.',
  }),
});
