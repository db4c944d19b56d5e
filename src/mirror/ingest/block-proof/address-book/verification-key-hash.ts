import { bytesToNumberLE } from '@noble/curves/utils.js';
import { hashToField } from '../hash-to-field.ts';
import { toBytes32 } from './little-endian.ts';
import { poseidonHash } from './poseidon.ts';
import { FIELD_ORDER } from './roster-keys.ts';

const CHUNK = 32;
const DOMAIN = 'HieroTSSWrapsHintsVkHash';

/**
 * The hash of a threshold key that address books sign, 32 bytes.
 *
 * @see contracts/streams.md section 18.6, vk hash
 */
export function verificationKeyHash(key: Uint8Array, generation: 1 | 2): Uint8Array {
  return toBytes32(generation === 1 ? hashOfChunks(key) : hashToField(FIELD_ORDER, DOMAIN, key));
}

function hashOfChunks(key: Uint8Array): bigint {
  const chunks: bigint[] = [];
  for (let from = 0; from < key.length; from += CHUNK) {
    chunks.push(bytesToNumberLE(key.subarray(from, from + CHUNK)) % FIELD_ORDER);
  }
  return poseidonHash(chunks);
}
