import { grainGenConstants, type PoseidonFn, poseidon } from '@noble/curves/abstract/poseidon.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { hashToField } from '../hash-to-field.ts';
import { toBytes32 } from './little-endian.ts';

/** Order of the field that coordinates of the roster's curve are from: the scalars of BN254. */
export const FIELD_ORDER = bn254.fields.Fr.ORDER;

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

const RATE = 4;
const OPTIONS = { Fp: bn254.fields.Fr, t: RATE + 1, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };

let permutation: PoseidonFn | null = null;

/**
 * The hash of the circuits over elements of the scalar field of BN254, a sponge of four at a time.
 *
 * @see contracts/streams.md section 18.6
 */
export function poseidonHash(inputs: readonly bigint[]): bigint {
  // The constants take a moment to draw, which only those pay who check proofs.
  permutation ??= poseidon({ ...OPTIONS, ...grainGenConstants(OPTIONS) });
  let state = Array.from({ length: RATE + 1 }, () => 0n);
  for (let from = 0; from < inputs.length; from += RATE) {
    for (let index = 0; index < RATE; index++) {
      const place = index + 1;
      state[place] = OPTIONS.Fp.add(state[place] ?? 0n, inputs[from + index] ?? 0n);
    }
    state = permutation(state);
  }
  return state[1] ?? 0n;
}
