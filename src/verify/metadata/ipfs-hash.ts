import { createHash } from 'node:crypto';

/** A block of the tree over a file: what a parent needs to know of it. */
interface Block {
  readonly multihash: Uint8Array;
  /** Bytes of the file below this block. */
  readonly fileSize: number;
  /** Bytes of this block and all blocks below it. */
  readonly treeSize: number;
}

const LEAF_BYTES = 262_144;
const LINKS_PER_BLOCK = 174;
const SHA2_256 = Uint8Array.of(0x12, 0x20);

// Wire tags of the two protobuf messages that IPFS uses for files (UnixFS inside DAG-PB).
const NODE_DATA = 0x0a;
const NODE_LINK = 0x12;
const LINK_HASH = 0x0a;
const LINK_EMPTY_NAME = [0x12, 0x00];
const LINK_TREE_SIZE = 0x18;
const FILE_TYPE = [0x08, 0x02];
const FILE_DATA = 0x12;
const FILE_SIZE = 0x18;
const FILE_BLOCK_SIZE = 0x20;

/**
 * Multihash (34 bytes) of the IPFS block under which the compiler expects a file, version 0 of the CID.
 *
 * Files beyond 256 KiB are cut into leaves under a balanced tree, as IPFS does by default.
 *
 * @see contracts/verification-engine.md section 9.3
 */
export function ipfsMultihash(file: Uint8Array): Uint8Array {
  let level: readonly Block[] = slices(file.length, LEAF_BYTES).map(([start, end]) =>
    leaf(file.subarray(start, end)),
  );
  for (;;) {
    const [root, ...others] = level;
    if (root !== undefined && others.length === 0) return root.multihash;
    const below = level;
    level = slices(below.length, LINKS_PER_BLOCK).map(([start, end]) => parent(below.slice(start, end)));
  }
}

/** At least one slice, also of nothing. */
function slices(length: number, size: number): readonly (readonly [number, number])[] {
  const count = Math.max(1, Math.ceil(length / size));
  return Array.from({ length: count }, (_, index) => [index * size, Math.min(length, (index + 1) * size)]);
}

function leaf(bytes: Uint8Array): Block {
  const size = varint(bytes.length);
  const content = bytes.length === 0 ? [] : [Uint8Array.of(FILE_DATA), size, bytes];
  const file = Buffer.concat([Uint8Array.from(FILE_TYPE), ...content, Uint8Array.of(FILE_SIZE), size]);
  return block(field(NODE_DATA, file), bytes.length, 0);
}

function parent(children: readonly Block[]): Block {
  const fileSize = sum(children.map((child) => child.fileSize));
  const links = children.map(({ multihash, treeSize }) =>
    field(
      NODE_LINK,
      Buffer.concat([
        field(LINK_HASH, multihash),
        Uint8Array.from(LINK_EMPTY_NAME),
        Uint8Array.of(LINK_TREE_SIZE),
        varint(treeSize),
      ]),
    ),
  );
  const blockSizes = children.flatMap((child) => [Uint8Array.of(FILE_BLOCK_SIZE), varint(child.fileSize)]);
  const file = Buffer.concat([
    Uint8Array.from(FILE_TYPE),
    Uint8Array.of(FILE_SIZE),
    varint(fileSize),
    ...blockSizes,
  ]);
  const bytes = Buffer.concat([...links, field(NODE_DATA, file)]);
  return block(bytes, fileSize, sum(children.map((child) => child.treeSize)));
}

function block(bytes: Uint8Array, fileSize: number, below: number): Block {
  const digest = createHash('sha256').update(bytes).digest();
  return { multihash: Buffer.concat([SHA2_256, digest]), fileSize, treeSize: bytes.length + below };
}

function field(tag: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(tag), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
