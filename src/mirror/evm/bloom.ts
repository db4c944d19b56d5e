import { bufferOf } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { pooledBytes } from '../../values/pooled-bytes.ts';
import { padded, trimmed } from './bytes.ts';

/** Bytes of a filter. */
export const BLOOM_BYTES = 256;
const WORD_BYTES = 32;
/** How many values are remembered: addresses and event signatures come again and again. */
const REMEMBERED = 16_384;

type Bits = readonly number[];

/** The three bits that an address sets, and a word, which is found without its leading zero bytes. */
const addresses = new Map<string, Bits>();
const words = new Map<string, Bits>();

/**
 * The filter of a log: three of 2048 bits each for its address and its topics; the data have none.
 *
 * @param address 20 bytes
 * @param topics also without their leading zero bytes; they count as words of 32 bytes
 * @returns 256 bytes
 * @see contracts/mirror-contracts.md section 11.7; Ethereum's yellow paper, section 4.3.1
 */
export function bloomOf(address: Uint8Array, topics: readonly Uint8Array[]): Uint8Array {
  const bloom = pooledBytes(BLOOM_BYTES);
  add(bloom, bitsOf(address, addresses, address.length));
  for (const topic of topics) add(bloom, bitsOf(trimmed(topic), words, WORD_BYTES));
  return bloom;
}

/** Adds the bits of one filter to another of 256 bytes; of a shorter or longer one those that are in both. */
export function orInto(target: Uint8Array, bloom: Uint8Array): void {
  const length = Math.min(BLOOM_BYTES, bloom.length);
  for (let index = 0; index < length; index++) target[index] = (target[index] ?? 0) | (bloom[index] ?? 0);
}

/** A filter with the bits of another; null or empty: without any so far. */
export function bloomWith(bloom: Uint8Array | null, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(BLOOM_BYTES);
  if (bloom !== null) orInto(joined, bloom);
  orInto(joined, other);
  return joined;
}

/** The byte of a filter that has a bit. */
export function byteOfBit(bit: number): number {
  return BLOOM_BYTES - 1 - (bit >> 3);
}

function add(bloom: Uint8Array, bits: Bits): void {
  for (const bit of bits) {
    const index = byteOfBit(bit);
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
  }
}

function bitsOf(value: Uint8Array, remembered: Map<string, Bits>, length: number): Bits {
  const key = bufferOf(value).toString('latin1');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const hash = keccak256(padded(value, length));
  const bits = [0, 2, 4].map((pair) => (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 2047);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, bits);
  return bits;
}
