import { Type } from '@sinclair/typebox';
import { Key, Links, NullableText } from '../list-schemas.ts';
import { ROW_NAMES, TRANSACTION_TYPES } from '../vocabulary/transaction-types.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);

/** In alphabetical order, as the interface specification lists them. */
const oneOf = (names: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...names].sort() });

/**
 * The query of the list as specified. Reading accepts the superset of the contract, so this documents only.
 *
 * @see contracts/seed.txt section 4.4
 */
export const TransactionListQuery = Type.Object({
  'account.id': Type.Optional(
    Type.String({
      pattern: '^((gte?|lte?|eq|ne):)?(\\d{1,10}\\.\\d{1,10}\\.)?\\d{1,10}$',
      description: 'Accounts involved in a transaction: optional operator, optional shard and realm, number.',
    }),
  ),
  limit: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 100,
      default: 25,
      description: 'Items per page.',
    }),
  ),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'desc',
      description: 'Order by consensus timestamp.',
    }),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'Consensus timestamp with optional operator; may be repeated.',
    }),
  ),
  transactiontype: Type.Optional(oneOf(TRANSACTION_TYPES.map(({ name }) => name))),
  result: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['success', 'fail'] })),
  type: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['credit', 'debit'],
      description: 'Direction of the account balance change.',
    }),
  ),
});

const Transfer = Type.Object(
  {
    account: Type.String(),
    amount: Type.Integer({ description: 'Tinybars, negative for debit.' }),
    is_approval: Type.Boolean(),
  },
  { title: 'Transfer' },
);

const members = {
  batch_key: Type.Optional(Key),
  bytes: NullableText,
  charged_tx_fee: Type.Integer(),
  consensus_timestamp: Type.String(),
  entity_id: NullableText,
  high_volume: Type.Boolean(),
  high_volume_pricing_multiplier: NullableInteger,
  max_custom_fees: Type.Array(
    Type.Object(
      { account_id: Type.String(), amount: Type.Integer(), denominating_token_id: NullableText },
      { title: 'MaxCustomFee' },
    ),
  ),
  max_fee: NullableInteger,
  memo_base64: NullableText,
  name: oneOf(ROW_NAMES),
  nft_transfers: Type.Array(
    Type.Object(
      {
        is_approval: Type.Boolean(),
        receiver_account_id: NullableText,
        sender_account_id: NullableText,
        serial_number: Type.Integer(),
        token_id: Type.String(),
      },
      { title: 'NftTransfer' },
    ),
  ),
  node: NullableText,
  nonce: Type.Integer(),
  parent_consensus_timestamp: NullableText,
  result: Type.String(),
  scheduled: Type.Boolean(),
  staking_reward_transfers: Type.Array(
    Type.Object({ account: Type.Integer(), amount: Type.Integer() }, { title: 'StakingRewardTransfer' }),
  ),
  transaction_hash: NullableText,
  transaction_id: Type.String(),
  token_transfers: Type.Array(
    Type.Object(
      {
        token_id: Type.String(),
        account: Type.String(),
        amount: Type.Integer({ description: 'Negative for debit.' }),
        is_approval: Type.Boolean(),
      },
      { title: 'TokenTransfer' },
    ),
  ),
  transfers: Type.Array(Transfer),
  valid_duration_seconds: NullableInteger,
  valid_start_timestamp: Type.String(),
};

/** The list envelope of contracts/seed.txt section 2.3. */
export const TransactionListAnswer = Type.Object(
  {
    transactions: Type.Array(Type.Object(members, { title: 'Transaction' })),
    links: Links,
  },
  { title: 'TransactionList' },
);

export const TransactionPath = Type.Object({
  idOrHash: Type.String({
    description: '`shard.realm.num-sss-nnn`, or the hash in base64, base64url or hex.',
  }),
});

export const TransactionQuery = Type.Object({
  nonce: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  scheduled: Type.Optional(Type.Boolean()),
});

/** @see contracts/mirror-transactions.md section 6 */
export const TransactionAnswer = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          ...members,
          assessed_custom_fees: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  amount: Type.Integer(),
                  collector_account_id: Type.String(),
                  effective_payer_account_ids: Type.Array(Type.String()),
                  token_id: NullableText,
                },
                { title: 'AssessedCustomFee' },
              ),
            ),
          ),
        },
        { title: 'TransactionWithFees' },
      ),
    ),
  },
  { title: 'TransactionsOfId' },
);
