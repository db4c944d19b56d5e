import { Type } from '@sinclair/typebox';

/** Every letter case is accepted; both that are in use are listed, since generated clients send only what is listed. @see contracts/fees-estimate.md section 1 */
export const FeeEstimateQuery = Type.Object({
  mode: Type.Optional(
    Type.String({
      enum: ['intrinsic', 'state', 'INTRINSIC', 'STATE'],
      default: 'intrinsic',
      description:
        'intrinsic: from inherent properties of the transaction (size, signatures, keys); state: additionally from ' +
        'the latest state known to the service. Any letter case.',
    }),
  ),
  high_volume_throttle: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'Assumed utilization of the high-volume throttle in basis points; 10000 is 100 %.',
    }),
  ),
  signatures: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Signatures that the transaction will have, for estimates before signing; 102 bytes are added for each that is missing.',
    }),
  ),
  include: Type.Optional(
    Type.String({
      pattern: '^(money|explanation|inner)(,(money|explanation|inner))*$',
      description:
        'Details in addition to the default members: money (dollars, hbar and the exchange rate), explanation (a sentence for each extra), inner (the transactions of a batch or schedule).',
    }),
  ),
});

/** The body is one serialized `proto.Transaction`. */
export const FeeEstimateBody = Type.String({
  format: 'binary',
  description: 'One serialized HAPI Transaction in protobuf binary form, signed or not.',
});

const Tinycents = (description: string) => Type.Integer({ minimum: 0, description });

const FeeExtra = Type.Object(
  {
    name: Type.String({ description: 'Name of the extra in the fee schedule, for example SIGNATURES.' }),
    included: Type.Integer({ minimum: 0, description: 'Units that the base fee covers.' }),
    count: Type.Integer({ minimum: 0, description: 'Units found in the transaction.' }),
    charged: Type.Integer({ minimum: 1, description: 'Units beyond the included ones.' }),
    fee_per_unit: Tinycents('Price of one unit.'),
    subtotal: Tinycents('fee_per_unit times charged.'),
    explanation: Type.Optional(
      Type.String({ description: 'What was counted and where, with `include=explanation`.' }),
    ),
  },
  { title: 'FeeExtra' },
);

const FeePartSchema = (base: string) =>
  Type.Object({
    base: Tinycents(base),
    extras: Type.Array(FeeExtra, { description: 'Only extras with a charge.' }),
  });

const FeeAdditionSchema = Type.Object(
  {
    name: Type.String({
      description:
        'GAS: the gas limit; CREATED_ACCOUNTS: receivers that the ledger does not know, priced as CryptoCreate; ' +
        'AIRDROPS: transfers that stay pending; TOKEN_ASSOCIATE: associations that receivers lack.',
    }),
    count: Type.Integer({ minimum: 1 }),
    fee_per_unit: Tinycents('Price of one unit.'),
    subtotal: Tinycents('fee_per_unit times count.'),
  },
  { title: 'FeeAddition' },
);

const Money = Type.Object(
  {
    usd: Type.String({ description: 'Dollars with 10 decimals, exact.' }),
    hbar: Type.String({ description: 'With 8 decimals.' }),
    tinybars: Type.Integer({ minimum: 0, description: 'Rounded down.' }),
    exchange_rate: Type.Object({
      cent_equivalent: Type.Integer({ description: 'Price of hbar_equivalent hbar in cents.' }),
      hbar_equivalent: Type.Integer(),
      expiration_time: Type.Integer({ description: 'Seconds since the epoch.' }),
      timestamp: Type.String({ description: 'When the ledger published the rate.' }),
    }),
  },
  {
    title: 'Money',
    description:
      'The total, including inner transactions if requested. Only with `include=money` and if a rate is known.',
  },
);

/** The breakdown. Order of the members as sent. */
const FEE_MEMBERS = {
  high_volume_multiplier: Type.Integer({
    minimum: 1,
    description:
      'Integer part of the price multiplier for high-volume transactions; 1 when none was applied.',
  }),
  network: Type.Object({
    multiplier: Type.Integer({ minimum: 0, description: 'Factor on the node part; 0 when exempt.' }),
    subtotal: Tinycents('Node part times multiplier.'),
  }),
  node: FeePartSchema('Base fee of the node part.'),
  service: FeePartSchema('Base fee of the transaction type.'),
  total: Tinycents('Sum of the node, network and service parts.'),
  additions: Type.Optional(
    Type.Array(FeeAdditionSchema, {
      description:
        "Not in the total: what will or may be charged in addition, according to the ledger's state. Only with mode state, and only if there is any.",
    }),
  ),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only if there are any, for example when required state was not available.',
    }),
  ),
};

const InnerTransaction = Type.Object({ type: Type.String(), ...FEE_MEMBERS }, { title: 'InnerEstimate' });

const DETAIL_MEMBERS = {
  inner: Type.Optional(
    Type.Object(
      { transactions: Type.Array(InnerTransaction), total: Tinycents('Sum of their totals.') },
      { description: 'The transactions of a batch, or the one of a schedule, with `include=inner`.' },
    ),
  ),
  total_with_inner: Type.Optional(Tinycents('total and the total of the inner transactions.')),
  money: Type.Optional(Money),
};

export const FeeEstimateAnswer = Type.Object(
  { ...FEE_MEMBERS, ...DETAIL_MEMBERS },
  {
    title: 'FeeEstimate',
    description: 'All amounts in tinycents: 1 USD is 10^10.',
    headers: {
      'X-Fee-Schedule': Type.String({
        description:
          "The schedule that was used: bundled, file, or the consensus timestamp of the ledger's own.",
      }),
    },
  },
);

/** The body of the JSON route. */
export const FeeListBody = Type.Object(
  {
    transaction: Type.String({
      description:
        'A serialized Transaction or TransactionList (what SDKs store), as base64 or hexadecimal text; at most 1,000 transactions, those in batches included.',
    }),
  },
  { title: 'FeeListRequest' },
);

/** The answer of the JSON route. */
export const FeeListAnswer = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: 'As in transaction lists, for example CRYPTOTRANSFER.' }),
          transaction_id: Type.Union([Type.String(), Type.Null()]),
          ...FEE_MEMBERS,
          ...DETAIL_MEMBERS,
        },
        { title: 'ListedEstimate' },
      ),
    ),
    total: Tinycents(
      'What will be paid: of transactions with the same id, which are meant for different nodes, only the most expensive one counts.',
    ),
    money: Type.Optional(Money),
  },
  { title: 'FeeEstimateList' },
);
