import { Type } from '@sinclair/typebox';
import { Links } from '../list-schemas.ts';

export const RewardPath = Type.Object({
  idOrAliasOrEvmAddress: Type.String({
    description: 'Id with or without shard and realm, alias in base32, or EVM address.',
  }),
});

export const RewardQuery = Type.Object({
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'When the reward was paid; of several times without operator any.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'desc',
      description: 'Order by time.',
    }),
  ),
});

/** @see contracts/mirror-entities.md section 4, /rewards */
export const RewardListAnswer = Type.Object(
  {
    rewards: Type.Array(
      Type.Object(
        {
          account_id: Type.String(),
          amount: Type.Integer({ description: 'Tinybars.' }),
          timestamp: Type.String({ description: 'Consensus time of the transaction that paid it.' }),
        },
        { title: 'Reward' },
      ),
    ),
    links: Links,
  },
  { title: 'RewardList' },
);
