import { Type } from '@sinclair/typebox';
import { Key, Links, ListOrder, NullableText } from '../list-schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableFlag = Type.Union([Type.Boolean(), Type.Null()]);

export const ContractPath = Type.Object({
  contractIdOrAddress: Type.String({ description: 'Id with or without shard and realm, or EVM address.' }),
});

export const ContractQuery = Type.Object({
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|ne|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'Consensus timestamp; without operator or with eq: at or before. May be repeated.',
    }),
  ),
});

/** @see contracts/mirror-roadmap.md, contracts */
export const ContractAnswer = Type.Object(
  {
    admin_key: Type.Union([Key, Type.Null()]),
    auto_renew_account: NullableText,
    auto_renew_period: NullableInteger,
    bytecode: Type.String({
      description:
        'What created the contract: initcode, or the contents of the file; `0x` when it is not known.',
    }),
    contract_id: Type.String(),
    created_timestamp: NullableText,
    deleted: NullableFlag,
    evm_address: Type.String(),
    expiration_timestamp: NullableText,
    file_id: NullableText,
    max_automatic_token_associations: NullableInteger,
    memo: NullableText,
    nonce: NullableInteger,
    obtainer_id: NullableText,
    permanent_removal: NullableFlag,
    proxy_account_id: NullableText,
    runtime_bytecode: Type.String({
      description: 'Known when a sidecar with it was imported, else `0x`.',
    }),
    timestamp: Type.Object({ from: NullableText, to: NullableText }),
  },
  { title: 'LedgerContract' },
);

const Bytes = Type.String({ description: 'Hex of all bytes with `0x`; `0x` for none.' });
const Integer = Type.Integer();
const Flag = Type.Optional(Type.Boolean());
const Times = Type.Optional(
  Type.Array(Type.String({ pattern: '^((eq|ne|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
    description: 'Consensus timestamp with optional operator. May be repeated.',
  }),
);
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 }));
const Topic = Type.Optional(
  Type.Array(Type.String({ pattern: '^(eq:)?(0x)?[0-9A-Fa-f]{1,64}$' }), {
    description:
      'Topic, compared as a number; several are alternatives. Needs a time range of at most 7 days.',
    maxItems: 100,
  }),
);

export const ContractResultPath = Type.Object({
  contractIdOrAddress: ContractPath.properties.contractIdOrAddress,
  timestamp: Type.String({ description: 'Consensus timestamp, `seconds.nanoseconds`.' }),
});

export const ResultPath = Type.Object({
  transactionIdOrHash: Type.String({
    description: 'Transaction id `shard.realm.num-seconds-nanoseconds`, or hash of 64 digits.',
  }),
});

export const ContractListQuery = Type.Object({
  'contract.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id with optional operator, or EVM address.' })),
  ),
  limit: Limit,
  order: ListOrder('desc'),
});

export const ResultListQuery = Type.Object({
  'block.hash': Type.Optional(Type.String({ pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' })),
  'block.number': Type.Optional(Type.String({ pattern: '^(eq:)?(\\d{1,19}|0x[0-9A-Fa-f]{1,16})$' })),
  from: Type.Optional(
    Type.Array(Type.String({ description: 'Id of the sender with optional operator, or EVM address.' })),
  ),
  hbar: Type.Optional(Type.Boolean({ description: 'Amounts in tinybars; false: weibars.', default: true })),
  internal: Type.Optional(Type.Boolean({ description: 'Whether child results are shown.', default: false })),
  limit: Limit,
  order: ListOrder('desc'),
  timestamp: Times,
  'transaction.index': Type.Optional(
    Type.Array(
      Type.String({ pattern: '^(eq:)?\\d{1,10}$', description: 'Place in the block that is named.' }),
    ),
  ),
});

export const ResultQuery = Type.Object({
  hbar: Flag,
  nonce: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
});

export const ResultAtTimeQuery = Type.Object({ hbar: Flag });

/** What verified contracts tell of bytes; null where none does. */
const DecodedPart = Type.Optional(
  Type.Union([
    Type.Object(
      {
        arguments: Type.Array(
          Type.Object(
            {
              hash: Type.Optional(Type.String({ description: 'Of an indexed argument without fixed size.' })),
              indexed: Type.Optional(Type.Boolean()),
              name: NullableText,
              type: Type.String(),
              value: Type.Unknown({
                description: 'Integers are decimal digits; null where only the hash is there.',
              }),
            },
            { title: 'DecodedArgument' },
          ),
        ),
        name: Type.String(),
        returned: Type.Optional(
          Type.Array(Type.Object({ name: NullableText, type: Type.String(), value: Type.Unknown() })),
        ),
        signature: Type.String(),
        source: Type.String({ description: '`contract`, `signature` or `language`: who says so.' }),
      },
      { title: 'Decoded' },
    ),
    Type.Null(),
  ]),
);
const Decode = Type.Optional(
  Type.Boolean({ description: 'Whether rows tell what they mean, by verified contracts.', default: false }),
);

export const ContractLogListQuery = Type.Object({
  decode: Decode,
  index: Type.Optional(
    Type.Array(
      Type.String({ description: 'Place in the transaction with optional operator; needs a time.' }),
    ),
  ),
  limit: Limit,
  order: ListOrder('desc'),
  timestamp: Times,
  topic0: Topic,
  topic1: Topic,
  topic2: Topic,
  topic3: Topic,
});

export const LogListQuery = Type.Object({
  ...ContractLogListQuery.properties,
  'transaction.hash': Type.Optional(
    Type.String({ pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' }),
  ),
});

export const ContractStateQuery = Type.Object({
  limit: Limit,
  order: ListOrder('asc'),
  slot: Type.Optional(Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?(0x)?[0-9A-Fa-f]{1,64}$' }))),
  timestamp: Times,
});

export const ActionListQuery = Type.Object({
  index: Type.Optional(Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}$' }))),
  limit: Limit,
  order: ListOrder('asc'),
});

const { bytecode: _bytecode, runtime_bytecode: _runtime, ...ListedMembers } = ContractAnswer.properties;

export const ContractListAnswer = Type.Object({
  contracts: Type.Array(Type.Object(ListedMembers, { title: 'ListedContract' })),
  links: Links,
});

const ShortMembers = {
  address: NullableText,
  amount: Type.Union([Integer, Type.Null()], { description: 'Tinybars, or weibars with `hbar=false`.' }),
  bloom: Bytes,
  call_result: Bytes,
  contract_id: NullableText,
  created_contract_ids: Type.Array(Type.String()),
  error_message: NullableText,
  from: NullableText,
  function_parameters: Bytes,
  gas_consumed: NullableInteger,
  gas_limit: Integer,
  gas_used: NullableInteger,
  hash: Bytes,
  timestamp: Type.String(),
  to: NullableText,
};

const DetailedMembers = {
  ...ShortMembers,
  access_list: Type.Array(
    Type.Object(
      { address: Type.String(), storage_keys: Type.Array(Type.String()) },
      { title: 'AccessListEntry' },
    ),
  ),
  authorization_list: Type.Optional(
    Type.Array(
      Type.Object(
        {
          address: Type.String(),
          chain_id: Type.String(),
          nonce: Integer,
          r: Type.String(),
          s: Type.String(),
          y_parity: Type.String(),
        },
        { title: 'Authorization' },
      ),
    ),
  ),
  block_gas_used: NullableInteger,
  block_hash: Bytes,
  block_number: NullableInteger,
  chain_id: Type.String(),
  failed_initcode: NullableText,
  gas_price: NullableText,
  max_fee_per_gas: NullableText,
  max_priority_fee_per_gas: NullableText,
  nonce: NullableInteger,
  r: NullableText,
  result: Type.String(),
  s: NullableText,
  status: Type.String({ description: '`0x1` when it succeeded, else `0x0`.' }),
  transaction_index: NullableInteger,
  type: Integer,
  v: NullableInteger,
};

export const ContractResultListAnswer = Type.Object({
  links: Links,
  results: Type.Array(
    Type.Object(
      { ...ShortMembers, decoded: DecodedPart, decoded_error: DecodedPart },
      { title: 'ShortContractResult' },
    ),
  ),
});

export const ContractResultListQuery = Type.Object({ ...ResultListQuery.properties, decode: Decode });

export const ResultListAnswer = Type.Object({
  links: Links,
  results: Type.Array(Type.Object(DetailedMembers, { title: 'DetailedContractResult' })),
});

const LogMembers = {
  address: NullableText,
  bloom: Bytes,
  contract_id: NullableText,
  data: Bytes,
  index: Integer,
  topics: Type.Array(Type.String()),
};

export const ResultAnswer = Type.Object(
  {
    ...DetailedMembers,
    logs: Type.Array(Type.Object(LogMembers, { title: 'ResultLog' })),
    state_changes: Type.Array(
      Type.Object(
        {
          address: NullableText,
          contract_id: Type.String(),
          slot: Type.String(),
          value_read: Type.String(),
          value_written: NullableText,
        },
        { title: 'StateChange' },
      ),
    ),
  },
  { title: 'ContractResult' },
);

export const LogListAnswer = Type.Object({
  links: Links,
  logs: Type.Array(
    Type.Object(
      {
        ...LogMembers,
        block_hash: Bytes,
        decoded: DecodedPart,
        block_number: NullableInteger,
        root_contract_id: NullableText,
        timestamp: Type.String(),
        transaction_hash: Bytes,
        transaction_index: NullableInteger,
      },
      { title: 'ContractLog' },
    ),
  ),
});

export const ContractStateAnswer = Type.Object({
  links: Links,
  state: Type.Array(
    Type.Object(
      {
        address: NullableText,
        contract_id: Type.String(),
        slot: Type.String(),
        timestamp: Type.String(),
        value: Type.String(),
      },
      { title: 'ContractSlot' },
    ),
  ),
});

export const ActionListAnswer = Type.Object({
  actions: Type.Array(
    Type.Object(
      {
        call_depth: Integer,
        call_operation_type: Type.String(),
        call_type: Type.String(),
        caller: NullableText,
        caller_type: NullableText,
        from: NullableText,
        gas: Integer,
        gas_used: Integer,
        index: Integer,
        input: Bytes,
        recipient: NullableText,
        recipient_type: NullableText,
        result_data: Bytes,
        result_data_type: Type.String(),
        timestamp: Type.String(),
        to: NullableText,
        value: Integer,
      },
      { title: 'ContractAction' },
    ),
  ),
  links: Links,
});
