import { Type } from '@sinclair/typebox';
import { Links, NullableText } from '../list-schemas.ts';

export const TokenBalances = Type.Array(
  Type.Object({ token_id: Type.String(), balance: Type.Integer() }, { title: 'HeldToken' }),
  {
    description: 'Tokens that the account holds, as far as they are known.',
  },
);

export const BalanceListQuery = Type.Object({
  'account.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id, EVM address or alias with optional operator.' })),
  ),
  'account.balance': Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$', description: 'Tinybars.' })),
  ),
  'account.publickey': Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^((eq|gt|gte|lt|lte|ne):)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{66}|[0-9A-Fa-f]{88})$',
        description:
          'Ed25519 key, compressed secp256k1 key or Ed25519 key as DER, in hex: accounts that have it now, also as the only member of a list or threshold. Operators compare the hex text.',
      }),
    ),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description:
        'Balances of the newest snapshot that meets all conditions: a time without operator means at or before it, ne leaves snapshots out. Snapshots are taken every 15 minutes and found up to six months back.',
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
export const BalanceListAnswer = Type.Object(
  {
    timestamp: NullableText,
    balances: Type.Array(
      Type.Object(
        {
          account: Type.String(),
          balance: Type.Integer({ description: 'Tinybars.' }),
          tokens: TokenBalances,
        },
        { title: 'AccountBalance' },
      ),
    ),
    links: Links,
  },
  { title: 'BalanceList' },
);
