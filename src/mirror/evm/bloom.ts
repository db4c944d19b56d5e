import { keccak_256 } from '@noble/hashes/sha3.js';
import { padded } from './bytes.ts';

/** Bytes of a filter. */
export const BLOOM_BYTES = 256;
const WORD_BYTES = 32;
/** How many values are remembered: addresses and event signatures come again and again. */
const REMEMBERED = 16_384;

/** The three bits that a value sets, by its bytes. */
const remembered = new Map<string, readonly number[]>();

/**
 * The filter of a log: three of 2048 bits each for its address and its topics; the data have none.
 *
 * @param address 20 bytes
 * @param topics also without their leading zero bytes; they count as words of 32 bytes
 * @returns 256 bytes
 * @see contracts/mirror-contracts.md section 11.7; Ethereum's yellow paper, section 4.3.1
 */
export function bloomOf(address: Uint8Array, topics: readonly Uint8Array[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  add(bloom, address);
  for (const topic of topics) add(bloom, padded(topic, WORD_BYTES));
  return bloom;
}

/** Adds the bits of one filter to another of 256 bytes; of a shorter or longer one those that are in both. */
export function orInto(target: Uint8Array, bloom: Uint8Array): void {
  const length = Math.min(BLOOM_BYTES, bloom.length);
  for (let index = 0; index < length; index++) target[index] = (target[index] ?? 0) | (bloom[index] ?? 0);
}

/** The byte of a filter that has a bit. */
export function byteOfBit(bit: number): number {
  return BLOOM_BYTES - 1 - (bit >> 3);
}

function add(bloom: Uint8Array, value: Uint8Array): void {
  for (const bit of bitsOf(value)) {
    const index = byteOfBit(bit);
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
  }
}

function bitsOf(value: Uint8Array): readonly number[] {
  const key = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const hash = keccak_256(value);
  const bits = [0, 2, 4].map((pair) => (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 2047);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, bits);
  return bits;
}
