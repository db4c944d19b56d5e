import { Type } from '@sinclair/typebox';
import { Key, Links, NullableText, TimeRange } from '../list-schemas.ts';

const order = (byDefault: 'asc' | 'desc') =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['asc', 'desc'], default: byDefault }));
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 }));
const account = Type.String({
  description: 'Id with or without shard and realm, alias in base32, or EVM address.',
});

export const HooksPath = Type.Object({ idOrAliasOrEvmAddress: account });
export const HookStoragePath = Type.Object({
  idOrAliasOrEvmAddress: account,
  hookId: Type.String({ pattern: '^\\d{1,19}$' }),
});

export const HooksQuery = Type.Object({
  'hook.id': Type.Optional(Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$' }))),
  limit,
  order: order('desc'),
});

/** @see contracts/mirror-entities.md section 10 */
export const HooksAnswer = Type.Object(
  {
    hooks: Type.Array(
      Type.Object(
        {
          admin_key: Type.Union([Key, Type.Null()]),
          contract_id: NullableText,
          created_timestamp: NullableText,
          deleted: Type.Boolean(),
          extension_point: Type.String(),
          hook_id: Type.Integer(),
          owner_id: Type.String(),
          timestamp_range: TimeRange,
          type: Type.String(),
        },
        { title: 'Hook' },
      ),
    ),
    links: Links,
  },
  { title: 'HookList' },
);

export const HookStorageQuery = Type.Object({
  key: Type.Optional(Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?(0x)?[\\dA-Fa-f]{1,64}$' }))),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      maxItems: 2,
      description: 'Without operator or with eq: at or before.',
    }),
  ),
  limit,
  order: order('asc'),
});

export const HookStorageAnswer = Type.Object(
  {
    hook_id: Type.Integer(),
    owner_id: Type.String(),
    storage: Type.Array(
      Type.Object(
        { key: Type.String(), timestamp: Type.String(), value: Type.String() },
        { title: 'HookSlot' },
      ),
      {
        description: 'Keys and values: `0x` and 64 hex digits.',
      },
    ),
    links: Links,
  },
  { title: 'HookStorage' },
);
