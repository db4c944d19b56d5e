import { Type } from '@sinclair/typebox';
import { Links } from '../list-schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const ID_CONDITION = '((\\d{1,10}\\.){0,2}\\d{1,12}|(0x)?[0-9A-Fa-f]{40})$';
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 }));
const order = (by: string, value: 'asc' | 'desc') =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: value,
      description: `Order by ${by}.`,
    }),
  );

export const AccountTokensPath = Type.Object({
  idOrAliasOrEvmAddress: Type.String({ description: 'Id, EVM address or alias of the account.' }),
});

export const AccountTokensQuery = Type.Object({
  'token.id': Type.Optional(
    Type.Array(Type.String({ pattern: `^((eq|gt|gte|lt|lte):)?${ID_CONDITION}` }), {
      description: 'Id with optional operator; values with `eq` form one set.',
    }),
  ),
  limit: Limit,
  order: order('token', 'asc'),
});

/** @see contracts/mirror-entities.md section 4 */
export const AccountTokensAnswer = Type.Object(
  {
    tokens: Type.Array(
      Type.Object(
        {
          automatic_association: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'Whether a transfer made the association.',
          }),
          balance: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Smallest units, or the number of NFTs.',
          }),
          created_timestamp: Type.Union([Type.String(), Type.Null()], {
            description: 'Time of the association.',
          }),
          decimals: NullableInteger,
          freeze_status: Type.Union([Type.String(), Type.Null()], {
            description:
              'FROZEN, UNFROZEN or NOT_APPLICABLE; null while neither the relation nor the token tells.',
          }),
          kyc_status: Type.Union([Type.String(), Type.Null()], {
            description:
              'GRANTED, REVOKED or NOT_APPLICABLE; null while neither the relation nor the token tells.',
          }),
          token_id: Type.String(),
        },
        { title: 'TokenRelation' },
      ),
    ),
    links: Links,
  },
  { title: 'TokenRelationList' },
);

export const TokenBalancesPath = Type.Object({
  tokenId: Type.String({ description: '`shard.realm.num`, `realm.num`, `num` or the long-zero address.' }),
});

export const TokenBalancesQuery = Type.Object({
  'account.id': Type.Optional(
    Type.Array(Type.String({ pattern: `^((eq|gt|gte|lt|lte|ne):)?${ID_CONDITION}` }), {
      description: 'All conditions hold for the same account.',
    }),
  ),
  'account.balance': Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$' }), {
      description: 'Smallest units; all conditions hold.',
    }),
  ),
  'account.publickey': Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^((eq|gt|gte|lt|lte|ne):)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{66}|[0-9A-Fa-f]{88})$',
      }),
      { description: 'Accounts that have the key now, contracts left out; the last value counts.' },
    ),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'The newest snapshot that meets the conditions; `eq` means at or before.',
    }),
  ),
  limit: Limit,
  order: order('account', 'desc'),
});

/** @see contracts/mirror-entities.md section 6.4 */
export const TokenBalancesAnswer = Type.Object(
  {
    timestamp: Type.Union([Type.String(), Type.Null()], {
      description: 'Time of the snapshot, or of the newest change in the list; null for an empty list.',
    }),
    balances: Type.Array(
      Type.Object(
        {
          account: Type.String(),
          balance: Type.Integer({ description: 'Smallest units, or the number of NFTs.' }),
          decimals: NullableInteger,
        },
        { title: 'TokenBalance' },
      ),
    ),
    links: Links,
  },
  { title: 'TokenBalanceList' },
);
