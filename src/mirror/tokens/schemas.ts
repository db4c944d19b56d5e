import { Type } from '@sinclair/typebox';
import { Key, Links, NullableText } from '../list-schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableKey = Type.Union([Key, Type.Null()]);
const Kind = Type.Unsafe<string>({ type: 'string', enum: ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] });
const Digits = Type.String({ pattern: '^\\d+$' });

export const TokenPath = Type.Object({
  tokenId: Type.String({
    pattern: '^((\\d{1,10}\\.){0,2}\\d{1,12}|(0x|(\\d{1,10}\\.){0,2})[A-Fa-f0-9]{40})$',
    description: 'Number of the token, also `0.0.n` or the EVM address that the number makes.',
  }),
});

export const TokenQuery = Type.Object({
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'The token as it was at the time; the last one counts.',
    }),
  ),
});

export const TokenListQuery = Type.Object({
  'account.id': Type.Optional(
    Type.String({
      pattern: '^(eq:)?(\\d{1,10}\\.){0,2}\\d{1,12}$',
      description: 'Tokens that the account is associated with.',
    }),
  ),
  name: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 103 }), {
      description:
        'Part of the name in any letter case, 3 to 100 bytes, without `token.id` and `account.id`; all of several hold.',
    }),
  ),
  publickey: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^((eq|gt|gte|lt|lte|ne):)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{66}|[0-9A-Fa-f]{88})$',
      }),
      { description: 'The admin key, in hex; operators compare the text.' },
    ),
  ),
  'token.id': Type.Optional(
    Type.Array(
      Type.String({
        pattern:
          '^((eq|gt|gte|lt|lte|ne):)?((\\d{1,10}\\.){0,2}\\d{1,12}|(0x|(\\d{1,10}\\.){0,2})[A-Fa-f0-9]{40})$',
      }),
      { description: 'One of those that are named, within the bounds.' },
    ),
  ),
  type: Type.Optional(
    Type.Array(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['ALL', 'FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'],
        default: 'ALL',
      }),
    ),
  ),
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

/** @see contracts/mirror-entities.md section 6.1 */
export const TokenListAnswer = Type.Object(
  {
    tokens: Type.Array(
      Type.Object(
        {
          admin_key: NullableKey,
          decimals: Type.Integer(),
          metadata: Type.String({ description: 'Base64.' }),
          name: Type.String(),
          symbol: Type.String(),
          token_id: Type.String(),
          type: Kind,
        },
        { title: 'TokenSummary' },
      ),
    ),
    links: Links,
  },
  { title: 'TokenList' },
);

const Collected = {
  all_collectors_are_exempt: Type.Boolean(),
  collector_account_id: NullableText,
};
const Amount = {
  amount: Type.Integer(),
  denominating_token_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for hbar.' }),
};
const Fraction = Type.Object(
  { numerator: Type.Integer(), denominator: Type.Integer() },
  { title: 'Fraction' },
);

/** @see contracts/mirror-entities.md section 6.3 */
const CustomFees = Type.Object(
  {
    created_timestamp: Type.String({ description: 'Since when the fees hold.' }),
    fixed_fees: Type.Array(Type.Object({ ...Collected, ...Amount }, { title: 'TokenFixedFee' })),
    fractional_fees: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...Collected,
            amount: Fraction,
            denominating_token_id: Type.String(),
            maximum: NullableInteger,
            minimum: Type.Integer(),
            net_of_transfers: Type.Boolean(),
          },
          { title: 'FractionalFee' },
        ),
        { description: 'Of fungible tokens.' },
      ),
    ),
    royalty_fees: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...Collected,
            amount: Fraction,
            fallback_fee: Type.Union([Type.Object(Amount), Type.Null()]),
          },
          { title: 'RoyaltyFee' },
        ),
        { description: 'Of unique tokens.' },
      ),
    ),
  },
  { title: 'TokenFees' },
);

/** @see contracts/mirror-entities.md section 6.2 */
export const TokenAnswer = Type.Object(
  {
    admin_key: NullableKey,
    auto_renew_account: NullableText,
    auto_renew_period: NullableInteger,
    created_timestamp: NullableText,
    custom_fees: Type.Union([CustomFees, Type.Null()]),
    decimals: Digits,
    deleted: Type.Union([Type.Boolean(), Type.Null()]),
    expiry_timestamp: Type.Union([Type.Integer(), Type.Null()], { description: 'Nanoseconds.' }),
    fee_schedule_key: NullableKey,
    freeze_default: Type.Boolean(),
    freeze_key: NullableKey,
    initial_supply: Digits,
    kyc_key: NullableKey,
    max_supply: Type.String({ pattern: '^\\d+$', description: '0 without a limit.' }),
    memo: NullableText,
    metadata: Type.String({ description: 'Base64.' }),
    metadata_key: NullableKey,
    modified_timestamp: Type.String(),
    name: Type.String(),
    pause_key: NullableKey,
    pause_status: Type.Unsafe<string>({ type: 'string', enum: ['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'] }),
    supply_key: NullableKey,
    supply_type: Type.Unsafe<string>({ type: 'string', enum: ['FINITE', 'INFINITE'] }),
    symbol: Type.String(),
    token_id: Type.String(),
    total_supply: Digits,
    treasury_account_id: NullableText,
    type: Kind,
    wipe_key: NullableKey,
  },
  { title: 'Token' },
);
