import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** The members that the pages of the web explorer read, with the types that they are drawn from. */
const text = Type.String();
const number = Type.Number();
const flag = Type.Boolean();
const time = Type.String({ pattern: '^\\d+\\.\\d{9}$' });
const id = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' });
const digits = Type.String({ pattern: '^-?\\d+$' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const object = (members: TProperties) => Type.Object(members);
const range = object({ from: time, to: orNull(time) });
const links = object({ next: orNull(Type.String({ pattern: '^/api/v1/' })) });
const listOf = (name: string, row: TSchema, more: TProperties = {}) =>
  object({ [name]: Type.Array(row), links, ...more });
const key = orNull(
  object({
    _type: Type.Union(['ED25519', 'ECDSA_SECP256K1', 'ProtobufEncoded'].map((name) => Type.Literal(name))),
    key: text,
  }),
);

const tokenBalances = Type.Array(object({ token_id: id, balance: number }));
const account = object({
  account: id,
  alias: orNull(text),
  auto_renew_period: orNull(number),
  balance: orNull(object({ timestamp: orNull(time), balance: orNull(number), tokens: tokenBalances })),
  created_timestamp: orNull(time),
  decline_reward: orNull(flag),
  deleted: orNull(flag),
  ethereum_nonce: orNull(number),
  evm_address: orNull(Type.String({ pattern: '^0x[0-9a-f]{40}$' })),
  expiry_timestamp: orNull(time),
  key,
  max_automatic_token_associations: orNull(number),
  memo: orNull(text),
  pending_reward: number,
  receiver_sig_required: orNull(flag),
  stake_period_start: orNull(time),
  staked_account_id: orNull(id),
  staked_node_id: orNull(number),
});
const transfer = object({ account: id, amount: number, is_approval: flag });
const transaction = object({
  charged_tx_fee: number,
  consensus_timestamp: time,
  entity_id: orNull(id),
  max_fee: digits,
  memo_base64: orNull(text),
  name: text,
  nft_transfers: Type.Array(
    object({
      is_approval: flag,
      receiver_account_id: orNull(id),
      sender_account_id: orNull(id),
      serial_number: number,
      token_id: id,
    }),
  ),
  node: orNull(id),
  nonce: number,
  parent_consensus_timestamp: orNull(time),
  result: text,
  scheduled: flag,
  staking_reward_transfers: Type.Array(object({ account: id, amount: number })),
  token_transfers: Type.Array(Type.Composite([transfer, object({ token_id: id })])),
  transaction_hash: text,
  transaction_id: text,
  transfers: Type.Array(transfer),
  valid_duration_seconds: orNull(digits),
  valid_start_timestamp: time,
});
const allowance = { owner: id, spender: id, timestamp: range };
const amounts = { amount: number, amount_granted: number };
const fixedFee = { amount: number, collector_account_id: orNull(id), denominating_token_id: orNull(id) };
const exempt = { all_collectors_are_exempt: flag, collector_account_id: orNull(id) };
const fraction = object({ numerator: number, denominator: number });
const tokenHead = { name: text, symbol: text, token_id: id, type: text, metadata: text, admin_key: key };
const token = object({
  ...tokenHead,
  auto_renew_account: orNull(id),
  auto_renew_period: orNull(number),
  created_timestamp: orNull(time),
  custom_fees: object({
    created_timestamp: time,
    fixed_fees: Type.Array(object({ ...fixedFee, all_collectors_are_exempt: flag })),
    fractional_fees: Type.Optional(
      Type.Array(
        object({
          ...exempt,
          amount: fraction,
          maximum: orNull(number),
          minimum: number,
          net_of_transfers: flag,
        }),
      ),
    ),
    royalty_fees: Type.Optional(
      Type.Array(
        object({
          ...exempt,
          amount: fraction,
          fallback_fee: orNull(object({ amount: number, denominating_token_id: orNull(id) })),
        }),
      ),
    ),
  }),
  decimals: digits,
  deleted: orNull(flag),
  expiry_timestamp: orNull(Type.Union([time, number])),
  fee_schedule_key: key,
  freeze_default: flag,
  freeze_key: key,
  initial_supply: digits,
  kyc_key: key,
  max_supply: digits,
  memo: orNull(text),
  metadata_key: key,
  modified_timestamp: time,
  pause_key: key,
  pause_status: text,
  supply_key: key,
  supply_type: text,
  total_supply: digits,
  treasury_account_id: orNull(id),
  wipe_key: key,
});
const nft = object({
  account_id: orNull(id),
  created_timestamp: orNull(time),
  delegating_spender: orNull(id),
  deleted: flag,
  metadata: text,
  modified_timestamp: orNull(time),
  serial_number: number,
  spender: orNull(id),
  token_id: id,
});
const message = object({
  chunk_info: orNull(
    object({
      initial_transaction_id: object({
        account_id: orNull(id),
        nonce: orNull(number),
        scheduled: orNull(flag),
        transaction_valid_start: time,
      }),
      number,
      total: number,
    }),
  ),
  consensus_timestamp: time,
  message: text,
  running_hash: text,
  running_hash_version: number,
  sequence_number: number,
  topic_id: id,
});

export const SHAPES = {
  account,
  accounts: listOf('accounts', account),
  accountPage: Type.Composite([account, object({ transactions: Type.Array(transaction), links })]),
  airdrops: listOf(
    'airdrops',
    object({
      amount: orNull(number),
      receiver_id: id,
      sender_id: id,
      serial_number: orNull(number),
      timestamp: range,
      token_id: id,
    }),
  ),
  balances: listOf('balances', object({ account: id, balance: number, tokens: tokenBalances }), {
    timestamp: orNull(time),
  }),
  cryptoAllowances: listOf('allowances', object({ ...allowance, ...amounts })),
  hooks: listOf('hooks', object({ hook_id: number, owner_id: id, deleted: flag })),
  message,
  messages: listOf('messages', message),
  nft,
  nftAllowances: listOf('allowances', object({ ...allowance, approved_for_all: flag, token_id: id })),
  nfts: listOf('nfts', nft),
  nftTransactions: listOf(
    'transactions',
    object({
      consensus_timestamp: time,
      is_approval: flag,
      nonce: number,
      receiver_account_id: orNull(id),
      sender_account_id: orNull(id),
      transaction_id: text,
      type: text,
    }),
  ),
  relations: listOf(
    'tokens',
    object({
      automatic_association: flag,
      balance: number,
      created_timestamp: time,
      freeze_status: text,
      kyc_status: text,
      token_id: id,
    }),
  ),
  rewards: listOf('rewards', object({ account_id: id, amount: number, timestamp: time })),
  schedule: object({
    admin_key: key,
    consensus_timestamp: time,
    creator_account_id: id,
    deleted: flag,
    executed_timestamp: orNull(time),
    expiration_time: orNull(time),
    memo: text,
    payer_account_id: id,
    schedule_id: id,
    signatures: Type.Array(
      object({ consensus_timestamp: time, public_key_prefix: text, signature: text, type: text }),
    ),
    transaction_body: text,
    wait_for_expiry: flag,
  }),
  token,
  tokenAllowances: listOf('allowances', object({ ...allowance, ...amounts, token_id: id })),
  tokenBalances: listOf('balances', object({ account: id, balance: number }), { timestamp: orNull(time) }),
  tokens: listOf('tokens', object({ ...tokenHead, decimals: number })),
  topic: object({
    admin_key: key,
    auto_renew_account: orNull(id),
    auto_renew_period: orNull(number),
    created_timestamp: orNull(time),
    custom_fees: object({ created_timestamp: orNull(time), fixed_fees: Type.Array(object(fixedFee)) }),
    deleted: orNull(flag),
    fee_exempt_key_list: Type.Array(key),
    fee_schedule_key: key,
    memo: text,
    submit_key: key,
    timestamp: range,
    topic_id: id,
  }),
  transactions: listOf('transactions', transaction),
} as const satisfies Readonly<Record<string, TSchema>>;

export type ShapeName = keyof typeof SHAPES;
