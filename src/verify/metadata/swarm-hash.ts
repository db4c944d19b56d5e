import { keccak256 } from '../../values/keccak256.ts';

/** `bzzr0` until solc 0.5.11, `bzzr1` later. */
export type SwarmVersion = 'bzzr0' | 'bzzr1';

const CHUNK_BYTES = 4096;
const HASH_BYTES = 32;
const SEGMENT_BYTES = 2 * HASH_BYTES;
const BRANCHES = CHUNK_BYTES / HASH_BYTES;
/** What stands for zeros on each level of a chunk, from the bottom. */
const ZERO_HASHES: readonly Uint8Array[] = zeroHashes(Math.log2(BRANCHES));

/**
 * The 32-byte hash under which Swarm stores a file: a tree of chunks of 4096 bytes with 128 branches.
 *
 * @see contracts/verification-engine.md section 9.3
 */
export function swarmHash(file: Uint8Array, version: SwarmVersion): Uint8Array {
  if (version === 'bzzr0') return subtreeHash(file, false, { hash: plainChunkHash, raisesLastChunk: false });
  if (file.length === 0) return new Uint8Array(HASH_BYTES);
  return subtreeHash(file, false, { hash: merkleChunkHash, raisesLastChunk: true });
}

type ChunkHash = (chunk: Uint8Array, representedBytes: number) => Uint8Array;

interface TreeRules {
  readonly hash: ChunkHash;
  /** A last child of exactly one chunk, beside taller ones, gets a level of its own. */
  readonly raisesLastChunk: boolean;
}

function subtreeHash(bytes: Uint8Array, hasTallSiblings: boolean, rules: TreeRules): Uint8Array {
  const isRaised = hasTallSiblings && rules.raisesLastChunk;
  const isLeaf = bytes.length < CHUNK_BYTES || (bytes.length === CHUNK_BYTES && !isRaised);
  if (isLeaf) return rules.hash(bytes, bytes.length);
  let childBytes = CHUNK_BYTES;
  while (childBytes * BRANCHES < bytes.length) childBytes *= BRANCHES;
  const children: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += childBytes) {
    const child = bytes.subarray(start, start + childBytes);
    children.push(subtreeHash(child, childBytes > CHUNK_BYTES, rules));
  }
  return rules.hash(Buffer.concat(children), bytes.length);
}

function plainChunkHash(chunk: Uint8Array, representedBytes: number): Uint8Array {
  return keccak256(Buffer.concat([span(representedBytes), chunk]));
}

/** Hashes the chunk pairwise up to one root, as if it were padded with zeros to its full size. */
function merkleChunkHash(chunk: Uint8Array, representedBytes: number): Uint8Array {
  let level: Uint8Array = new Uint8Array(Math.ceil(chunk.length / SEGMENT_BYTES) * SEGMENT_BYTES);
  level.set(chunk);
  for (const zeroHash of ZERO_HASHES) {
    const segments = Math.ceil(level.length / SEGMENT_BYTES);
    const next = new Uint8Array(segments * HASH_BYTES);
    for (let index = 0; index < segments; index++) {
      const segment = level.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES);
      const pair = segment.length === SEGMENT_BYTES ? segment : Buffer.concat([segment, zeroHash]);
      next.set(keccak256(pair), index * HASH_BYTES);
    }
    level = next;
  }
  return keccak256(Buffer.concat([span(representedBytes), level]));
}

/** Length in eight bytes, little endian. */
function span(length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(length));
  return bytes;
}

function zeroHashes(levels: number): readonly Uint8Array[] {
  const hashes: Uint8Array[] = [new Uint8Array(HASH_BYTES)];
  while (hashes.length < levels) {
    const below = hashes.at(-1) ?? new Uint8Array();
    hashes.push(keccak256(Buffer.concat([below, below])));
  }
  return hashes;
}
