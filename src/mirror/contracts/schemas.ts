import { Type } from '@sinclair/typebox';
import { Key, NullableText } from '../list-schemas.ts';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const NullableFlag = Type.Union([Type.Boolean(), Type.Null()]);

export const ContractPath = Type.Object({
  contractIdOrAddress: Type.String({ description: 'Id with or without shard and realm, or EVM address.' }),
});

export const ContractQuery = Type.Object({
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
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
    bytecode: Type.Union([Type.String(), Type.Null()], {
      description: 'What created the contract: initcode, or the contents of the file.',
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
    runtime_bytecode: Type.Union([Type.String(), Type.Null()], {
      description: 'Known when a sidecar with it was imported.',
    }),
    timestamp: Type.Object({ from: NullableText, to: NullableText }),
  },
  { title: 'LedgerContract' },
);
