import { Type } from '@sinclair/typebox';
import { Links, NullableText } from '../list-schemas.ts';

/** One record file or block. @see contracts/mirror-roadmap.md, blocks */
export const BlockAnswer = Type.Object(
  {
    count: Type.Integer({ description: 'Transactions.' }),
    gas_used: Type.Union([Type.Integer(), Type.Null()]),
    hapi_version: NullableText,
    hash: Type.String({ description: '`0x` and 96 hex digits.' }),
    logs_bloom: Type.Union([Type.String(), Type.Null()], {
      description: '`0x` alone without contract results.',
    }),
    name: Type.String({ description: 'File name.' }),
    number: Type.Integer(),
    previous_hash: Type.String(),
    receipts_root: Type.Union([Type.String(), Type.Null()], {
      description: '`0x` and 64 hex digits, all zero without receipts.',
    }),
    size: Type.Integer({ description: 'Bytes of the file.' }),
    timestamp: Type.Object({ from: Type.String(), to: Type.String() }),
  },
  { title: 'Block' },
);

export const BlockListAnswer = Type.Object(
  {
    blocks: Type.Array(BlockAnswer),
    links: Links,
  },
  { title: 'BlockList' },
);

export const BlockListQuery = Type.Object({
  'block.number': Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?(-?\\d{1,19}|0x[\\dA-Fa-f]{1,16})$' })),
  ),
  timestamp: Type.Optional(
    Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' }), {
      description: 'Without operator: the block at that time. Otherwise the end of a block.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  order: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'desc',
      description: 'Order by number.',
    }),
  ),
});

export const BlockPath = Type.Object({
  hashOrNumber: Type.String({
    description: 'Number, decimal or hex with `0x`, or hash in hex: 96 digits or the first 64.',
  }),
});
