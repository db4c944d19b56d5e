import { createHash } from 'node:crypto';

/** A source of random bytes; a seeded one gives the same bytes every time. */
export interface RandomSource {
  bytes(length: number): Uint8Array;
  /** A whole number from 0 to `limit` − 1; `limit` is at most 2^32. */
  below(limit: number): number;
}

const POOL_BYTES = 8192;
const WORD_BYTES = 6;

/** Bytes from SHAKE-128 over the seed and a counter: made for data that can be made again, not for secrets. */
export function seededRandom(seed: string): RandomSource {
  let counter = 0;
  let pool = Buffer.alloc(0);
  let used = 0;
  const take = (length: number): Buffer => {
    if (used + length > pool.length) {
      pool = createHash('shake128', { outputLength: Math.max(POOL_BYTES, length) })
        .update(`${seed}:${counter++}`)
        .digest();
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
  return {
    bytes: (length) => new Uint8Array(take(length)),
    below: (limit) => take(WORD_BYTES).readUIntBE(0, WORD_BYTES) % limit,
  };
}
