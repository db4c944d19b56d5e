import { Type } from '@sinclair/typebox';
import { BalanceListQuery, TokenBalances } from '../balances/schemas.ts';
import { Key, Links, NullableText } from '../list-schemas.ts';
import { TransactionListAnswer, TransactionListQuery } from '../transactions/schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableFlag = Type.Union([Type.Boolean(), Type.Null()]);

const { limit, order, timestamp, transactiontype } = TransactionListQuery.properties;

/** `timestamp` is about the account and its transactions, the others are about these alone. */
export const AccountQuery = Type.Object({
  limit,
  order,
  timestamp,
  transactiontype,
  transactions: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the answer lists transactions.' }),
  ),
});

const Balance = Type.Object(
  {
    balance: NullableInteger,
    timestamp: NullableText,
    tokens: TokenBalances,
  },
  { title: 'Balance' },
);

const {
  'account.balance': balance,
  'account.id': ids,
  'account.publickey': keys,
} = BalanceListQuery.properties;

export const AccountListQuery = Type.Object({
  'account.id': ids,
  'account.balance': balance,
  'account.publickey': keys,
  balance: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the answer shows balances, and the filter on them counts.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Order by account, and of the tokens of each.',
    }),
  ),
});

const Account = {
  account: Type.String(),
  alias: NullableText,
  auto_renew_period: NullableInteger,
  balance: Balance,
  created_timestamp: NullableText,
  decline_reward: NullableFlag,
  delegation_address: Type.String({ description: '`0x` for none.' }),
  deleted: NullableFlag,
  ethereum_nonce: NullableInteger,
  evm_address: Type.String(),
  expiry_timestamp: NullableText,
  key: Type.Union([Key, Type.Null()]),
  max_automatic_token_associations: NullableInteger,
  memo: NullableText,
  pending_reward: Type.Integer({ description: 'Tinybars.' }),
  receiver_sig_required: NullableFlag,
  staked_account_id: NullableText,
  staked_node_id: NullableInteger,
  stake_period_start: NullableText,
};

/** @see contracts/mirror-entities.md section 2 */
export const AccountListAnswer = Type.Object(
  {
    accounts: Type.Array(
      Type.Object({ ...Account, balance: Type.Union([Balance, Type.Null()]) }, { title: 'Account' }),
    ),
    links: Links,
  },
  { title: 'AccountList' },
);

/** @see contracts/mirror-entities.md section 3 */
export const AccountAnswer = Type.Object(
  { ...Account, ...TransactionListAnswer.properties },
  { title: 'AccountWithTransactions' },
);
