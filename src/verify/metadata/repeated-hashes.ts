import { keccak_256 } from '@noble/hashes/sha3.js';

/** keccak256 of many byte strings that are mostly equal: what they share is hashed once. */
export interface RepeatedHashes {
  /** Of a text of which other versions differ at the end. */
  keccak256(bytes: Uint8Array): Uint8Array;
  /** Of 64 bytes that may come again. */
  pair(bytes: Uint8Array): Uint8Array;
}

const SHARED_STEP = 1024;
/** The end that may differ, at least. */
const OPEN_END = 64;
/** About 40 MB; what comes after is hashed each time. */
const MAX_REMEMBERED = 200_000;

/** Remembers for one search; keccak256 in JavaScript takes most of its time. */
export function createRepeatedHashes(): RepeatedHashes {
  const heads = new Map<string, ReturnType<typeof keccak_256.create>>();
  const pairs = new Map<string, Uint8Array>();
  return {
    keccak256(bytes) {
      const length = Math.floor(Math.max(0, bytes.length - OPEN_END) / SHARED_STEP) * SHARED_STEP;
      const head = bytes.subarray(0, length);
      const key = keyOf(head);
      let state = heads.get(key);
      if (state === undefined) {
        state = keccak_256.create().update(head);
        if (heads.size < MAX_REMEMBERED) heads.set(key, state);
      }
      return state.clone().update(bytes.subarray(length)).digest();
    },
    pair(bytes) {
      const key = keyOf(bytes);
      let hash = pairs.get(key);
      if (hash === undefined) {
        hash = keccak_256(bytes);
        if (pairs.size < MAX_REMEMBERED) pairs.set(key, hash);
      }
      return hash;
    },
  };
}

/** One character per byte. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
