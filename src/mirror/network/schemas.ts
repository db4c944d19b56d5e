import { type TProperties, Type } from '@sinclair/typebox';

export const Period = Type.Object({ from: Type.String(), to: Type.String() }, { title: 'Period' });
const timestamp = Type.Optional(
  Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
    description: 'Consensus timestamp; without operator or with eq: at or before. May be repeated.',
  }),
);
const order = Type.Optional(
  Type.Unsafe<string>({
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Order of the items.',
  }),
);

/** @see contracts/mirror-network.md section 2 */
export const SupplyQuery = Type.Object({
  timestamp,
  q: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['totalcoins', 'circulating'],
      description: 'Returns one number as plain text.',
    }),
  ),
});

/** @see contracts/mirror-network.md section 3 */
export const ExchangeRateQuery = Type.Object({ timestamp });

/** @see contracts/mirror-network.md section 4 */
export const GasPriceQuery = Type.Object({ timestamp, order });

export const GasPriceAnswer = Type.Object(
  {
    fees: Type.Array(
      Type.Object(
        { gas: Type.Integer({ description: 'Tinybars.' }), transaction_type: Type.String() },
        { title: 'GasPrice' },
      ),
    ),
    timestamp: Type.String(),
  },
  {
    title: 'GasPrices',
    headers: {
      'X-Fee-Schedule': Type.String({
        description:
          'Only when the ledger has no fee schedule as of that time: earliest (its first later one), bundled, or file.',
      }),
    },
  },
);

const stakeIntegers = [
  'max_stake_rewarded',
  'max_staking_reward_rate_per_hbar',
  'max_total_reward',
  'reserved_staking_rewards',
  'reward_balance_threshold',
  'stake_total',
  'staking_period_duration',
  'staking_periods_stored',
  'staking_reward_rate',
  'staking_start_threshold',
  'unreserved_staking_reward_balance',
];

/** @see contracts/mirror-network.md section 6 */
export const StakeAnswer = Type.Object(
  {
    ...Object.fromEntries<TProperties[string]>(stakeIntegers.map((name) => [name, Type.Integer()])),
    node_reward_fee_fraction: Type.Number(),
    staking_period: Period,
    staking_reward_fee_fraction: Type.Number(),
  },
  { title: 'NetworkStake' },
);
