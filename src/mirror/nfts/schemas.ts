import { Type } from '@sinclair/typebox';
import { Links, NullableText } from '../list-schemas.ts';

const OPERATOR = '((eq|gt|gte|lt|lte|ne):)?';
const KEY_OPERATOR = '((eq|gt|gte|lt|lte):)?';
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 }));

function orderBy(description: string) {
  return Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: ['asc', 'desc'], default: 'desc', description }),
  );
}

/** @see contracts/mirror-entities.md section 7.1 */
export const NftAnswer = Type.Object(
  {
    account_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null once it was burned or wiped.',
    }),
    created_timestamp: Type.Union([Type.String(), Type.Null()], {
      description: 'Null when it was minted before the imported part.',
    }),
    delegating_spender: NullableText,
    deleted: Type.Boolean({ description: 'Whether it or its token was deleted.' }),
    metadata: Type.String({ description: 'Base64.' }),
    modified_timestamp: Type.String({ description: 'Time of the last change.' }),
    serial_number: Type.Integer(),
    spender: NullableText,
    token_id: Type.String(),
  },
  { title: 'Nft' },
);

export const NftListAnswer = Type.Object({ nfts: Type.Array(NftAnswer), links: Links }, { title: 'NftList' });

export const NftTransactionListAnswer = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          consensus_timestamp: Type.String(),
          is_approval: Type.Boolean(),
          nonce: Type.Integer(),
          receiver_account_id: NullableText,
          sender_account_id: NullableText,
          transaction_id: Type.String(),
          type: Type.String(),
        },
        { title: 'NftTransaction' },
      ),
    ),
    links: Links,
  },
  { title: 'NftTransactionList' },
);

const SerialNumber = Type.Optional(Type.Array(Type.String({ pattern: `^${OPERATOR}\\d{1,19}$` })));

export const AccountNftQuery = Type.Object({
  'token.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id with one `eq`, or one lower and one upper bound.' })),
  ),
  serialnumber: Type.Optional(
    Type.Array(Type.String({ pattern: `^${KEY_OPERATOR}\\d{1,19}$` }), {
      description: 'Only with `token.id`. A bound holds for the token at the bound of `token.id`.',
    }),
  ),
  'spender.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id or EVM address, with optional operator.' })),
  ),
  limit: Limit,
  order: orderBy('Order by token, then serial number.'),
});

export const TokenNftQuery = Type.Object({
  'account.id': Type.Optional(
    Type.Array(Type.String({ description: 'Id or EVM address of the owner, with optional operator.' })),
  ),
  serialnumber: SerialNumber,
  limit: Limit,
  order: orderBy('Order by serial number.'),
});

export const NftTransactionQuery = Type.Object({
  timestamp: Type.Optional(Type.Array(Type.String({ pattern: `^${OPERATOR}\\d{1,10}(\\.\\d{1,9})?$` }))),
  limit: Limit,
  order: orderBy('Order by consensus time.'),
});

export const AccountNftPath = Type.Object({
  idOrAliasOrEvmAddress: Type.String({ description: 'Id, alias or EVM address.' }),
});
export const TokenNftPath = Type.Object({
  tokenId: Type.String({ description: 'Id, or the long-zero address of its number.' }),
});
export const NftPath = Type.Object({
  tokenId: Type.String({ description: 'Id, or the long-zero address of its number.' }),
  serialNumber: Type.String({ pattern: '^\\d{1,19}$', description: 'From 1 on.' }),
});
