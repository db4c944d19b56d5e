import { createHash } from 'node:crypto';

/** A source of random bytes; a seeded one gives the same bytes every time. */
export interface RandomSource {
  bytes(length: number): Uint8Array;
  /** A whole number from 0 to `limit` − 1; `limit` is at most 2^32. */
  below(limit: number): number;
}

/** Bytes from SHA-256 over the seed and a counter: made for data that can be made again, not for secrets. */
export function seededRandom(seed: string): RandomSource {
  let counter = 0;
  const block = (): Buffer => createHash('sha256').update(`${seed}:${counter++}`).digest();
  const bytes = (length: number): Uint8Array => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, block);
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  };
  return { bytes, below: (limit) => Number(block().readBigUInt64BE(0) % BigInt(limit)) };
}
