import { describe, expect, test } from 'vitest';
import {
  blockMessage,
  footerMessage,
  headerMessage,
  lengthField,
  numberField,
  timestampMessage,
} from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import { EMPTY_TREE } from './hash-tree.ts';
import { blockRoots } from './native-block.ts';
import { itemKind, parseBlock } from './parse-block.ts';

const AT = 1_700_000_000_000_000_000n;
const HEADER = headerMessage(5, AT);
const FOOTER = footerMessage(EMPTY_TREE, EMPTY_TREE, EMPTY_TREE);
const PROOF = lengthField(2, lengthField(1, new Uint8Array(48)));
const BEGIN = [1, HEADER] as const;
const END = [
  [12, FOOTER],
  [9, PROOF],
] as const;
const ROUND = [3, new Uint8Array()] as const;
const plain = blockMessage([BEGIN, ROUND, ...END]);
const parse = (bytes: Uint8Array, maxItems?: number) => parseBlock(bytes, 'a.blk', maxItems);

describe('parseBlock', () => {
  test('takes a block apart without changing a byte', () => {
    const block = parse(plain);
    expect(block).toMatchObject({
      header: { number: 5n, timestamp: AT, hapiVersion: { major: 0, minor: 78, patch: 0 } },
      items: [{ field: 1 }, { field: 3 }],
      footer: { previousRoot: EMPTY_TREE },
    });
    expect(block.proofs.map((proof) => Buffer.from(proof))).toEqual([Buffer.from(PROOF)]);
    expect(Buffer.from(block.items[0]?.leaf ?? [])).toEqual(Buffer.from(lengthField(1, HEADER)));
  });

  test.each([20, 39, 40, 59])('ignores an item %i, which no root has, wherever it stands', (field) => {
    const later = [field, new Uint8Array(3)] as const;
    const block = parse(blockMessage([BEGIN, ROUND, later, END[0], later, END[1], later]));
    expect(block.proofs.map((proof) => Buffer.from(proof))).toEqual([Buffer.from(PROOF)]);
    expect(blockRoots(block)).toEqual(blockRoots(parse(plain)));
  });

  test.each([
    ['nothing', new Uint8Array(), 'malformed', /does not begin with a block header/],
    ['no header', blockMessage([ROUND, ...END]), 'malformed', /does not begin with a block header/],
    [
      'a header with a negative number',
      blockMessage([[1, headerMessage(-1, AT)], ROUND, ...END]),
      'malformed',
      /says block -1/,
    ],
    [
      'a huge header',
      blockMessage([[1, Buffer.concat([HEADER, lengthField(99, new Uint8Array(65_536))])], ROUND, ...END]),
      'malformed',
      /header has more than 65536 bytes/,
    ],
    [
      'too many proofs',
      blockMessage([BEGIN, ...END, ...Array.from({ length: 16 }, () => [9, PROOF] as const)]),
      'malformed',
      /more than 16 proofs/,
    ],
    [
      'a huge proof',
      blockMessage([BEGIN, [12, FOOTER], [9, lengthField(2, new Uint8Array(1024 * 1024))]]),
      'malformed',
      /more than 1048576 bytes of them/,
    ],
    ['two headers', blockMessage([BEGIN, BEGIN, ...END]), 'malformed', /two headers/],
    ['no footer', blockMessage([BEGIN, [9, PROOF]]), 'unsupported_version', /no footer.*early 2025/],
    ['neither footer nor proof', blockMessage([BEGIN, ROUND]), 'malformed', /cut off/],
    ['no proof', blockMessage([BEGIN, [12, FOOTER]]), 'malformed', /not followed by a proof/],
    [
      'two footers',
      blockMessage([BEGIN, [12, FOOTER], [12, FOOTER], [9, PROOF]]),
      'malformed',
      /not followed by a proof/,
    ],
    [
      'a proof before the footer',
      blockMessage([BEGIN, [9, PROOF], ROUND, ...END]),
      'malformed',
      /before its footer/,
    ],
    ['items after the proof', blockMessage([BEGIN, ...END, ROUND]), 'malformed', /items follow its proof/],
    [
      'a footer after the proof',
      blockMessage([BEGIN, ...END, [12, FOOTER]]),
      'malformed',
      /items follow its proof/,
    ],
    [
      'an item between footer and proof',
      blockMessage([BEGIN, [12, FOOTER], ROUND, [9, PROOF]]),
      'malformed',
      /not followed/,
    ],
    [
      'a filtered item',
      blockMessage([BEGIN, [8, new Uint8Array()], ...END]),
      'unsupported_item',
      /filtered item/,
    ],
    [
      'a redacted item',
      blockMessage([BEGIN, [19, new Uint8Array()], ...END]),
      'unsupported_item',
      /redacted item/,
    ],
    ['an unknown item', blockMessage([BEGIN, [13, new Uint8Array()], ...END]), 'unsupported_item', /kind 13/],
    [
      'a later item that must be understood',
      blockMessage([BEGIN, [21, new Uint8Array()], ...END]),
      'unsupported_item',
      /kind 21/,
    ],
    [
      'a field beside an item',
      Buffer.concat([lengthField(1, lengthField(1, HEADER), lengthField(99)), plain]),
      'unsupported_item',
      /an additional field/,
    ],
    [
      'two members of an item',
      Buffer.concat([lengthField(1, lengthField(1, HEADER), lengthField(3)), plain]),
      'unsupported_item',
      /an additional field/,
    ],
    ['an empty item', Buffer.concat([plain, lengthField(1)]), 'malformed', /empty item/],
    [
      'an item that is a number',
      Buffer.concat([lengthField(1, numberField(3, 1)), plain]),
      'malformed',
      /not a message/,
    ],
    ['another field of the block', Buffer.concat([plain, lengthField(2)]), 'malformed', /field 2 of a block/],
    ['a cut end', plain.subarray(0, plain.length - 1), 'malformed', /cut off/],
    [
      'a huge length',
      Buffer.concat([plain, Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f)]),
      'malformed',
      /cut off/,
    ],
    [
      'a number of eleven bytes',
      Buffer.concat([plain, Buffer.alloc(11, 0xff)]),
      'malformed',
      /more than ten bytes/,
    ],
    [
      'a header that repeats its number',
      blockMessage([[1, Buffer.concat([HEADER, numberField(3, 6)])], ...END]),
      'malformed',
      /repeats field 3/,
    ],
    ['a header without time', blockMessage([[1, numberField(3, 5)], ...END]), 'malformed', /has no time/],
    [
      'a header of another hash',
      blockMessage([[1, Buffer.concat([HEADER, numberField(5, 1)])], ...END]),
      'malformed',
      /hash algorithm/,
    ],
    [
      'a time out of range',
      blockMessage([[1, lengthField(4, numberField(1, 2n ** 62n))], ...END]),
      'malformed',
      /out of range/,
    ],
    [
      'a time with too many nanoseconds',
      blockMessage([[1, lengthField(4, numberField(2, 1_000_000_000))], ...END]),
      'malformed',
      /out of range/,
    ],
    [
      'an unknown field in the footer',
      blockMessage([BEGIN, [12, Buffer.concat([FOOTER, lengthField(4, EMPTY_TREE)])], [9, PROOF]]),
      'malformed',
      /field 4 of its footer/,
    ],
    [
      'a repeated hash in the footer',
      blockMessage([BEGIN, [12, Buffer.concat([FOOTER, lengthField(1, EMPTY_TREE)])], [9, PROOF]]),
      'malformed',
      /field 1 of its footer/,
    ],
    [
      'a short hash in the footer',
      blockMessage([BEGIN, [12, footerMessage(EMPTY_TREE, EMPTY_TREE, new Uint8Array(47))], [9, PROOF]]),
      'malformed',
      /field 3 of its footer/,
    ],
    [
      'a footer without a hash',
      blockMessage([BEGIN, [12, lengthField(1, EMPTY_TREE)], [9, PROOF]]),
      'malformed',
      /lacks hash 2/,
    ],
  ])('refuses %s', (_what, bytes, code, message) => {
    expect(() => parse(bytes)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('refuses more items than the limit', () => {
    expect(parse(plain, 4).items).toHaveLength(2);
    expect(() => parse(plain, 3)).toThrow(/more than 3 items/);
  });

  test('takes later items that need not be understood, each into its tree', () => {
    const withItem = (field: number) => parse(blockMessage([BEGIN, [field, timestampMessage(AT)], ...END]));
    const none = blockRoots(parse(blockMessage([BEGIN, ...END])));
    expect(blockRoots(withItem(20))).toEqual(none);
    expect(blockRoots(withItem(39))).toEqual(none);
    const roots = [23, 24, 25, 26, 27, 28, 35].map((field) =>
      Buffer.from(blockRoots(withItem(field))[16]).toString('hex'),
    );
    expect(new Set([...roots, Buffer.from(none[16]).toString('hex')]).size).toBe(8);
    expect(blockRoots(withItem(27))[8]).not.toBeNull();
    expect(blockRoots(withItem(28))[8]).toBeNull();
    const refused = Array.from({ length: 40 }, (_, field) => field).filter(
      (field) => itemKind(field) === 'unsupported',
    );
    expect(refused).toEqual([0, 8, 13, 14, 15, 16, 17, 18, 19, 21, 22, 36, 37, 38]);
  });
});
