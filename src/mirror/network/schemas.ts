import { type TProperties, Type } from '@sinclair/typebox';
import { Key, Links, NullableText, TimeRange } from '../list-schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const Period = Type.Object({ from: Type.String(), to: Type.String() }, { title: 'Period' });
const Endpoint = Type.Object(
  {
    domain_name: Type.String(),
    ip_address_v4: Type.String(),
    port: Type.Integer(),
  },
  { title: 'Endpoint' },
);

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
      description: 'Answers with one number as plain text.',
    }),
  ),
});

export const SupplyAnswer = Type.Object(
  {
    released_supply: Type.Union([Type.String(), Type.Null()], {
      description: 'Tinybars; null in the dialect `hiero` when the ledger began in the middle.',
    }),
    timestamp: Type.String(),
    total_supply: Type.String({ description: 'Tinybars.' }),
  },
  { title: 'Supply' },
);

/** @see contracts/mirror-network.md section 3 */
export const ExchangeRateQuery = Type.Object({ timestamp });

const Rate = Type.Object(
  {
    cent_equivalent: Type.Integer(),
    expiration_time: Type.Integer({ description: 'Seconds since the epoch.' }),
    hbar_equivalent: Type.Integer(),
  },
  { title: 'ExchangeRate' },
);

export const ExchangeRateAnswer = Type.Object(
  {
    current_rate: Rate,
    next_rate: Rate,
    timestamp: Type.String(),
  },
  { title: 'ExchangeRates' },
);

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

/** @see contracts/mirror-network.md section 5 */
export const NodesQuery = Type.Object({
  'file.id': Type.Optional(
    Type.String({ default: '0.0.102', description: 'Address book: 0.0.101 or 0.0.102.' }),
  ),
  'node.id': Type.Optional(Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,19}$' }))),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 10, description: 'Items per page; more than 25 gives 25.' }),
  ),
  order,
});

export const NodesAnswer = Type.Object(
  {
    nodes: Type.Array(
      Type.Object(
        {
          admin_key: Type.Union([Key, Type.Null()]),
          associated_registered_nodes: Type.Array(Type.Integer()),
          decline_reward: Type.Union([Type.Boolean(), Type.Null()]),
          description: NullableText,
          file_id: Type.String(),
          grpc_proxy_endpoint: Type.Union([Endpoint, Type.Null()]),
          max_stake: NullableInteger,
          memo: NullableText,
          min_stake: NullableInteger,
          node_account_id: NullableText,
          node_cert_hash: Type.String(),
          node_id: Type.Integer(),
          public_key: Type.String(),
          reward_rate_start: NullableInteger,
          service_endpoints: Type.Array(Endpoint),
          stake: NullableInteger,
          stake_not_rewarded: NullableInteger,
          stake_rewarded: NullableInteger,
          staking_period: Type.Union([Period, Type.Null()]),
          timestamp: TimeRange,
        },
        { title: 'Node' },
      ),
    ),
    links: Links,
  },
  { title: 'NodeList' },
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

/** @see contracts/mirror-entities.md section 10 */
export const RegisteredNodesQuery = Type.Object({
  'registerednode.id': Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,19}$' })),
  ),
  type: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY'],
      description: 'Kind of service.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order,
});

export const RegisteredNodesAnswer = Type.Object(
  {
    registered_nodes: Type.Array(
      Type.Object(
        {
          admin_key: Type.Union([Key, Type.Null()]),
          created_timestamp: NullableText,
          description: NullableText,
          registered_node_id: Type.Integer(),
          service_endpoints: Type.Array(
            Type.Object(
              {
                block_node: Type.Union([
                  Type.Object({ endpoint_apis: Type.Array(Type.String()) }),
                  Type.Null(),
                ]),
                domain_name: NullableText,
                general_service: Type.Union([Type.Object({ description: NullableText }), Type.Null()]),
                ip_address: NullableText,
                mirror_node: Type.Union([Type.Object({}), Type.Null()]),
                port: Type.Integer(),
                requires_tls: Type.Boolean(),
                rpc_relay: Type.Union([Type.Object({}), Type.Null()]),
                type: Type.Unsafe<string>({
                  type: 'string',
                  enum: ['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY', 'UNKNOWN'],
                }),
              },
              { title: 'ServiceEndpoint' },
            ),
          ),
          timestamp: TimeRange,
        },
        { title: 'RegisteredNode' },
      ),
    ),
    links: Links,
  },
  { title: 'RegisteredNodeList' },
);
