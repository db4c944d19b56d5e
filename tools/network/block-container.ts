import { EMPTY_TREE, type TreeEdge, treeRoot, withLeaf } from '../../src/mirror/ingest/block/hash-tree.ts';
import { blockRoots } from '../../src/mirror/ingest/block/native-block.ts';
import { parseBlock } from '../../src/mirror/ingest/block/parse-block.ts';
import { ITEM } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import type { BlockPart } from '../../src/mirror/ingest/block-records/read-transactions.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';

/** What a block names of those before it. */
export interface BlockChain {
  readonly previousRoot: Uint8Array;
  /** Over the roots of all blocks before it. */
  readonly tree: TreeEdge;
}

/** A block as its bytes, not compressed. */
export interface WrittenBlock {
  readonly number: bigint;
  readonly bytes: Uint8Array;
  /** 48 bytes, in the form with 16 places. */
  readonly root: Uint8Array;
}

export interface BlockHeaderValues {
  readonly number: bigint;
  readonly hapiVersion: readonly [major: number, minor: number, patch: number];
  /** Nanoseconds. */
  readonly time: bigint;
}

/** In `Block`. */
const ITEMS = 1;
const HEADER = { hapiVersion: 1, softwareVersion: 2, number: 3, time: 4 };
const FOOTER = { previousRoot: 1, allBlocksRoot: 2, stateRoot: 3 };
const NANOS_PER_SECOND = 1_000_000_000n;

/** Before block 0. */
export const FIRST_CHAIN: BlockChain = { previousRoot: EMPTY_TREE, tree: [] };

/** The chain after a block. */
export function chainAfter({ tree }: BlockChain, { number, root }: WrittenBlock): BlockChain {
  return { previousRoot: root, tree: withLeaf(tree, number, root) };
}

/**
 * Puts a block together: its root follows from what stands before the proof.
 *
 * @param proof makes the serialized `BlockProof` of the root
 * @see contracts/streams.md sections 9.2 and 9.5
 */
export function writeBlock(
  header: BlockHeaderValues,
  parts: readonly BlockPart[],
  { previousRoot, tree }: BlockChain,
  proof: (root: Uint8Array) => Uint8Array,
): WrittenBlock {
  const writer = new WireWriter();
  const footer = writer
    .delimited(FOOTER.previousRoot, previousRoot)
    .delimited(FOOTER.allBlocksRoot, treeRoot(tree))
    .delimited(FOOTER.stateRoot, EMPTY_TREE)
    .finish();
  const all = [
    { field: ITEM.header, bytes: headerBytes(header) },
    ...parts,
    { field: ITEM.footer, bytes: footer },
  ];
  const body = encodeItems(all);
  const unproven = encodeItems([{ field: ITEM.proof, bytes: new Uint8Array() }]);
  const root = blockRoots(parseBlock(Buffer.concat([body, unproven]), `block ${header.number}`))[16];
  const proven = encodeItems([{ field: ITEM.proof, bytes: proof(root) }]);
  return { number: header.number, bytes: new Uint8Array(Buffer.concat([body, proven])), root };
}

/** The protobuf form of a time. */
export function timeBytes(nanos: bigint): Uint8Array {
  return new WireWriter()
    .varint(1, nanos / NANOS_PER_SECOND)
    .varint(2, nanos % NANOS_PER_SECOND)
    .finish();
}

function headerBytes({ hapiVersion: [major, minor, patch], number, time }: BlockHeaderValues): Uint8Array {
  const version = new WireWriter().varint(1, major).varint(2, minor).varint(3, patch).finish();
  return new WireWriter()
    .delimited(HEADER.hapiVersion, version)
    .delimited(HEADER.softwareVersion, version)
    .varint(HEADER.number, number)
    .delimited(HEADER.time, timeBytes(time))
    .finish();
}

function encodeItems(parts: readonly BlockPart[]): Uint8Array {
  const [block, item] = [new WireWriter(), new WireWriter()];
  for (const { bytes, field } of parts) block.delimited(ITEMS, item.delimited(field, bytes).finish());
  return block.finish();
}
