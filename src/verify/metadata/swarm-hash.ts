import { keccak_256 } from '@noble/hashes/sha3.js';

/** `bzzr0` until solc 0.5.11, `bzzr1` later. */
export type SwarmVersion = 'bzzr0' | 'bzzr1';

const CHUNK_BYTES = 4096;
const HASH_BYTES = 32;
const SEGMENT_BYTES = 2 * HASH_BYTES;
const BRANCHES = CHUNK_BYTES / HASH_BYTES;

/**
 * The 32-byte hash under which Swarm stores a file: a tree of chunks of 4096 bytes with 128 branches.
 *
 * @see contracts/verification-engine.md section 9.3
 */
export function swarmHash(file: Uint8Array, version: SwarmVersion): Uint8Array {
  if (version === 'bzzr0') return subtreeHash(file, false, plainChunkHash);
  return file.length === 0 ? new Uint8Array(HASH_BYTES) : subtreeHash(file, false, merkleChunkHash);
}

type ChunkHash = (chunk: Uint8Array, representedBytes: number) => Uint8Array;

/**
 * @param isBelowTall true when the siblings are more than one chunk tall: a last child of exactly one chunk
 * then gets a level of its own in the newer hash.
 */
function subtreeHash(bytes: Uint8Array, isBelowTall: boolean, hashChunk: ChunkHash): Uint8Array {
  const isLeaf =
    bytes.length < CHUNK_BYTES ||
    (bytes.length === CHUNK_BYTES && !(isBelowTall && hashChunk === merkleChunkHash));
  if (isLeaf) return hashChunk(bytes, bytes.length);
  let childBytes = CHUNK_BYTES;
  while (childBytes * BRANCHES < bytes.length) childBytes *= BRANCHES;
  const children: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += childBytes) {
    const child = bytes.subarray(start, start + childBytes);
    children.push(subtreeHash(child, childBytes > CHUNK_BYTES, hashChunk));
  }
  return hashChunk(Buffer.concat(children), bytes.length);
}

function plainChunkHash(chunk: Uint8Array, representedBytes: number): Uint8Array {
  return keccak_256(Buffer.concat([span(representedBytes), chunk]));
}

/** Pads the chunk with zeros and hashes it pairwise up to one root. */
function merkleChunkHash(chunk: Uint8Array, representedBytes: number): Uint8Array {
  let level = new Uint8Array(CHUNK_BYTES);
  level.set(chunk);
  while (level.length > HASH_BYTES) {
    const next = new Uint8Array(level.length / 2);
    for (let start = 0; start < level.length; start += SEGMENT_BYTES) {
      next.set(keccak_256(level.subarray(start, start + SEGMENT_BYTES)), start / 2);
    }
    level = next;
  }
  return keccak_256(Buffer.concat([span(representedBytes), level]));
}

/** Length in eight bytes, little endian. */
function span(length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(length));
  return bytes;
}
