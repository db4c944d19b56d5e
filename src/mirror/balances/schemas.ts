import { Type } from '@sinclair/typebox';

const NullableText = Type.Union([Type.String(), Type.Null()]);

export const TokenBalances = Type.Array(Type.Object({ token_id: Type.String(), balance: Type.Integer() }), {
  description: 'Tokens that the account holds, as far as they are known.',
});

export const BalanceListQuery = Type.Object({
  'account.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id, EVM address or alias with optional operator.' })),
  ),
  'account.balance': Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$', description: 'Tinybars.' })),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'The newest snapshot at or before the time.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'desc',
      description: 'Order by account.',
    }),
  ),
});

/** @see contracts/mirror-roadmap.md, balances */
export const BalanceListAnswer = Type.Object({
  timestamp: NullableText,
  balances: Type.Array(
    Type.Object({
      account: Type.String(),
      balance: Type.Integer({ description: 'Tinybars.' }),
      tokens: TokenBalances,
    }),
  ),
  links: Type.Object({ next: NullableText }),
});
