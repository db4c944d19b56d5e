import { checkPrimeSync, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { RandomSource } from './seeded-random.ts';

/** A node that signs the files of a written stream. */
export interface NodeSigner {
  readonly nodeId: bigint;
  /** Number of its account in the stream's shard and realm. */
  readonly accountNum: bigint;
  /** Hex text of the DER public key, as address books have it. */
  readonly publicKey: string;
  /** Signs the bytes of a hash with SHA384withRSA. */
  sign(hash: Uint8Array): Uint8Array;
}

const PUBLIC_EXPONENT = 65_537n;
/** Dividing by them first, which Node does not do, saves four fifths of the search for a large prime. */
const SMALL_PRIMES = primesBelow(2000);

/** A signer with a given RSA private key. */
function nodeSigner(nodeId: bigint, accountNum: bigint, privateKey: KeyObject): NodeSigner {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    nodeId,
    accountNum,
    publicKey: der.toString('hex'),
    sign: (hash) => new Uint8Array(sign('RSA-SHA384', hash, privateKey)),
  };
}

/**
 * Signers 0 … count − 1 with accounts from number 3, their keys made from the given randomness.
 *
 * Node's own key generation takes no source of randomness, so the primes are searched for here.
 *
 * @param bits of the modulus; networks use 3072, tests are fast with 1024
 */
export function makeNodeSigners(count: number, random: RandomSource, bits: number): readonly NodeSigner[] {
  return Array.from({ length: count }, (_, index) =>
    nodeSigner(BigInt(index), BigInt(index) + 3n, makeRsaKey(random, bits)),
  );
}

function makeRsaKey(random: RandomSource, bits: number): KeyObject {
  const p = makePrime(random, bits / 2);
  const q = makePrime(random, bits / 2);
  const d = inverse(PUBLIC_EXPONENT, (p - 1n) * (q - 1n));
  const key = {
    kty: 'RSA',
    n: base64url(p * q),
    e: base64url(PUBLIC_EXPONENT),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: base64url(d % (p - 1n)),
    dq: base64url(d % (q - 1n)),
    qi: base64url(inverse(q, p)),
  };
  return createPrivateKey({ key, format: 'jwk' });
}

function makePrime(random: RandomSource, bits: number): bigint {
  const start = BigInt(`0x${Buffer.from(random.bytes(bits / 8)).toString('hex')}`);
  // The two highest bits make the product of two primes exactly twice as long.
  let candidate = start | (3n << BigInt(bits - 2)) | 1n;
  while (
    candidate % PUBLIC_EXPONENT === 1n ||
    SMALL_PRIMES.some((prime) => candidate % prime === 0n) ||
    !checkPrimeSync(candidate)
  ) {
    candidate += 2n;
  }
  return candidate;
}

function primesBelow(limit: number): readonly bigint[] {
  const primes: number[] = [];
  for (let each = 2; each < limit; each += 1) {
    if (primes.every((prime) => each % prime !== 0)) primes.push(each);
  }
  return primes.map(BigInt);
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [r0, r1, s0, s1] = [modulus, value % modulus, 0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  return s0 < 0n ? s0 + modulus : s0;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
