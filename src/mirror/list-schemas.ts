import { Type } from '@sinclair/typebox';

export const NullableText = Type.Union([Type.String(), Type.Null()]);

/** A public key, or a list of keys as the ledger has it. */
export const Key = Type.Object(
  {
    _type: Type.String({
      description: 'ED25519, ECDSA_SECP256K1, or ProtobufEncoded for lists and thresholds.',
    }),
    key: Type.String({ description: 'Hex.' }),
  },
  { title: 'Key' },
);

/** Where a list continues. */
export const Links = Type.Object(
  {
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the next page; null on the last one.',
    }),
  },
  { title: 'Links' },
);

/** A parameter that takes one value, or a lower and an upper bound. */
export const AccountFilter = Type.Optional(
  Type.Array(
    Type.String({ description: 'Id or EVM address with optional operator (eq, gt, gte, lt, lte).' }),
    {
      maxItems: 2,
    },
  ),
);

export const TokenFilter = Type.Optional(
  Type.Array(Type.String({ description: 'Id with optional operator (eq, gt, gte, lt, lte).' }), {
    maxItems: 2,
  }),
);

/** Since when a row holds; `to` is null for what holds now. */
export const TimeRange = Type.Object(
  { from: Type.String(), to: Type.Union([Type.String(), Type.Null()]) },
  { title: 'TimeRange' },
);
