import { Type } from '@sinclair/typebox';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { parseHex } from '../../values/hex.ts';
import { invalidRequest, messages } from '../errors.ts';
import { word as wordText } from '../evm/quantities.ts';
import { exact, hex, integer, itemOf, text } from '../lists/fields.ts';
import { type InPath, type ListContext, listOn } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ANY_OF, type Parameter, readConditions, repeated, times } from '../lists/parameters.ts';
import { readBlockNumber } from '../parameters/block-number.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import type { IntegerSelection } from '../parameters/page-parameters.ts';
import type { Block, BlockRepository } from './block-repository.sql.ts';

export interface BlockContext extends ListContext {
  readonly blocks: BlockRepository;
}

/** As the reference stores it. */
const UNKNOWN_GAS = -1n;
/** All 48 bytes, or the 32 that EVM tools use. */
const HASH = /^(?:0x)?(?:[\dA-Fa-f]{96}|[\dA-Fa-f]{64})$/;

/** A record file or block. @see contracts/mirror-roadmap.md, blocks */
export const BLOCK = itemOf<Block>()(
  {
    count: integer(({ count }) => count, 'Transactions.'),
    gas_used: integer.orNull(({ gasUsed }) => (gasUsed === UNKNOWN_GAS ? null : gasUsed)),
    hapi_version: text.orNull(({ hapiVersion }) => hapiVersion),
    hash: hex(({ hash }) => hash, '`0x` and 96 hex digits.'),
    logs_bloom: hex.orNull(({ logsBloom }) => logsBloom, '`0x` if there are no contract results.'),
    name: text(({ name }) => name, 'File name.'),
    number: integer(({ number }) => number),
    previous_hash: hex(({ previousHash }) => previousHash),
    receipts_root: text.orNull(
      ({ receiptsRoot }) => (receiptsRoot === null ? null : wordText(receiptsRoot)),
      '`0x` and 64 hex digits, all zero without receipts.',
    ),
    size: integer(({ size }) => size, 'Bytes of the file.'),
    timestamp: exact(
      Type.Object({ from: Type.String(), to: Type.String() }),
      ({ consensusEnd, consensusStart }) => ({
        from: printTimestamp(consensusStart),
        to: printTimestamp(consensusEnd),
      }),
    ),
  },
  'Block',
);

const blockTimes = times(ANY_OF, { description: 'The end of a block, `timestamp.to`.' });

/** A block has one end, so that several cannot be wanted. */
const timestamp: Parameter<IntegerSelection> = {
  ...blockTimes,
  async read(texts, context) {
    const selection = await blockTimes.read(texts, context);
    if (selection === NO_MATCH || selection.equal === null) return selection;
    const [end, another] = selection.equal;
    if (end === undefined || another !== undefined || end < selection.lower || end > selection.upper) {
      return NO_MATCH;
    }
    return { ...selection, lower: end, upper: end };
  },
};

const blockNumber: Parameter<IntegerSelection> = {
  schema: repeated('((eq|gt|gte|lt|lte|ne):)?', '(-\\d{19}|\\d{1,19}|0x[\\dA-Fa-f]{1,16})', {}),
  check: (text) => readBlockNumber(parseFilter(text)?.value ?? '') !== null,
  read: (texts) => ANY_OF.combine(readConditions(texts, readBlockNumber)),
  left: ANY_OF.left,
};

/** @see contracts/mirror-roadmap.md, blocks */
export const blockList = listOn<BlockContext>()({
  path: '/api/v1/blocks',
  isKept: true,
  summary: 'List blocks',
  name: 'blocks',
  title: 'BlockList',
  order: ['desc', 'Order by number.'],
  parameters: { 'block.number': blockNumber, timestamp },
  rows: ({ 'block.number': numbers, limit, order, timestamp }, { blocks }) =>
    blocks.page({
      ...numbers,
      lowerEnd: timestamp.lower,
      upperEnd: timestamp.upper,
      excludedEnds: timestamp.excluded,
      order,
      limit,
    }),
  cursor: { parameter: 'block.number', of: ({ number }) => number, print: String },
  item: BLOCK,
});

const blockInPath: InPath<{ readonly hash: Uint8Array } | { readonly number: bigint }, unknown> = {
  params: Type.Object({
    hashOrNumber: Type.String({
      description: 'Number, decimal or hex with `0x`, or hash in hex: 96 digits or the first 64.',
    }),
  }),
  read({ hashOrNumber: text = '' }) {
    if (HASH.test(text)) return { hash: parseHex(text) ?? new Uint8Array() };
    const number = readBlockNumber(text);
    if (number === null) throw invalidRequest([messages.invalidParameter('hashOrNumber')]);
    return { number };
  },
};

/** @see contracts/mirror-roadmap.md, blocks */
export const oneBlock = oneOn<BlockContext>()({
  path: '/api/v1/blocks/:hashOrNumber',
  summary: 'One block by number or hash',
  query: 'first',
  subject: blockInPath,
  find: ({ subject }, { blocks }) =>
    'hash' in subject ? blocks.byHash(subject.hash) : blocks.byNumber(subject.number),
  item: BLOCK,
});
