import { Type } from '@sinclair/typebox';
import { TokenBalances } from '../balances/schemas.ts';
import { TransactionListAnswer, TransactionListQuery } from '../transactions/schemas.ts';

const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableFlag = Type.Union([Type.Boolean(), Type.Null()]);

export const AccountPath = Type.Object({
  idOrAliasOrEvmAddress: Type.String({
    description: 'Id with or without shard and realm, alias in base32, or EVM address.',
  }),
});

const { limit, order, timestamp, transactiontype } = TransactionListQuery.properties;

/** All are about the transactions in the answer. */
export const AccountQuery = Type.Object({
  limit,
  order,
  timestamp,
  transactiontype,
  transactions: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the answer lists transactions.' }),
  ),
});

/** @see contracts/mirror-roadmap.md, accounts */
export const AccountAnswer = Type.Object({
  account: Type.String(),
  alias: NullableText,
  auto_renew_period: NullableInteger,
  balance: Type.Object({ balance: NullableInteger, timestamp: NullableText, tokens: TokenBalances }),
  created_timestamp: NullableText,
  decline_reward: NullableFlag,
  deleted: NullableFlag,
  ethereum_nonce: NullableInteger,
  evm_address: Type.String(),
  expiry_timestamp: NullableText,
  key: Type.Union([Type.Object({ _type: Type.String(), key: Type.String() }), Type.Null()]),
  max_automatic_token_associations: NullableInteger,
  memo: NullableText,
  pending_reward: NullableInteger,
  receiver_sig_required: NullableFlag,
  staked_account_id: NullableText,
  staked_node_id: NullableInteger,
  stake_period_start: NullableText,
  ...TransactionListAnswer.properties,
});
