import { challengesOf } from '../../../../../src/mirror/ingest/block-proof/hints/check-hints.ts';
import { parseHintsKey, rootOfUnity } from '../../../../../src/mirror/ingest/block-proof/hints/hints-key.ts';
import { parseHintsSignature } from '../../../../../src/mirror/ingest/block-proof/hints/hints-signature.ts';
import {
  Fr,
  G1,
  type G1Point,
  PointReader,
} from '../../../../../src/mirror/ingest/block-proof/hints/points.ts';
import type { ProofGeneration } from '../../../../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { signatureBytes } from './hints-network.ts';
import { valueAt, vanishing } from './polynomials.ts';

/** A real signature, and what the same network published in the same block. */
export interface ForgeryParts {
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
  /** Weights of the roster, which has the seats from 1. */
  readonly weights: readonly bigint[];
  /** Powers of the set-up: count, G1 points, count, G2 points. */
  readonly setup: Uint8Array;
}

/**
 * Makes a real signature claim another weight than its signers have, without any secret.
 *
 * The rules of generation 1 let the evaluations be chosen after the challenge: all identities are then met by numbers,
 * and the one opening that is left is of polynomials that everybody knows.
 *
 * @see contracts/streams.md section 18.2, row Negative test
 */
export function forgedSignature(
  parts: ForgeryParts,
  claimedWeight: bigint,
  generation: ProofGeneration,
): Uint8Array {
  const key = parseHintsKey(parts.key);
  const real = parseHintsSignature(parts.signature);
  const size = Number(key.n);
  const powers = setupPowers(parts.setup);
  const inLast = Array.from({ length: size }, (_, seat) => (seat === size - 1 ? 1n : 0n));
  const weights = inLast.map((last, seat) =>
    last ? Fr.neg(claimedWeight) : (parts.weights[seat - 1] ?? 0n),
  );
  const bits = bitsOf(real.bits, powers, size, parts.weights.length);

  const nobody = G1.ZERO;
  const claiming = {
    ...real,
    claimedWeight,
    partialSums: nobody,
    q1: nobody,
    q2: nobody,
    q3: nobody,
    q4: nobody,
  };
  const { r } = challengesOf(key, claiming, generation);
  const z = vanishing(size, r);
  const last = valueAt(inLast, r);
  // What is committed to at weights 1, r, r², …: nothing but W′ at r and B at r².
  const opened = weights.map((weight, seat) =>
    Fr.add(Fr.mul(r, weight), Fr.mul(Fr.sqr(r), bits[seat] ?? 0n)),
  );
  const value = valueAt(opened, r);
  const share = Fr.add(1n, Fr.div(Fr.add(Fr.pow(r, 3n), Fr.mul(Fr.pow(r, 4n), last)), z));
  const partialSums = Fr.div(Fr.sub(value, Fr.sqr(r)), share);
  return signatureBytes({
    ...claiming,
    openingAtR: commit(quotient(coefficients(opened), value, r), powers),
    openingBefore: nobody,
    values: {
      partialSums,
      partialSumsBefore: 0n,
      weights: 0n,
      bits: 1n,
      q1: Fr.div(partialSums, z),
      q2: 0n,
      q3: Fr.div(Fr.mul(last, partialSums), z),
      q4: 0n,
    },
  });
}

/** Who signed is hidden, but among so few seats one can try all. */
function bitsOf(
  committed: G1Point,
  powers: readonly G1Point[],
  size: number,
  seats: number,
): readonly bigint[] {
  for (let choice = 0; choice < 1 << seats; choice++) {
    const bits = Array.from({ length: size }, (_, seat) =>
      seat === size - 1 || (seat > 0 && (choice >> (seat - 1)) % 2 === 1) ? 1n : 0n,
    );
    if (commit(coefficients(bits), powers).equals(committed)) return bits;
  }
  throw new Error('no choice of signers gives this commitment');
}

function setupPowers(setup: Uint8Array): readonly G1Point[] {
  const reader = new PointReader(setup);
  return Array.from({ length: Number(reader.uint64()) }, (_, index) => reader.g1(`power ${index}`));
}

function commit(polynomial: readonly bigint[], powers: readonly G1Point[]): G1Point {
  return polynomial.reduce(
    (sum, coefficient, index) => sum.add((powers[index] ?? G1.ZERO).multiplyUnsafe(coefficient)),
    G1.ZERO,
  );
}

/** Of the polynomial with these values at the roots of unity, from the lowest. */
function coefficients(values: readonly bigint[]): readonly bigint[] {
  const inverse = Fr.inv(rootOfUnity(BigInt(values.length)));
  return values.map((_, power) =>
    Fr.div(
      values.reduce(
        (sum, value, index) => Fr.add(sum, Fr.mul(value, Fr.pow(inverse, BigInt(power * index)))),
        0n,
      ),
      BigInt(values.length),
    ),
  );
}

/** (f(X) − f(x)) / (X − x), by synthetic division. */
function quotient(polynomial: readonly bigint[], value: bigint, x: bigint): readonly bigint[] {
  let carry = 0n;
  const divided = polynomial.toReversed().map((coefficient) => {
    carry = Fr.add(Fr.mul(carry, x), coefficient);
    return carry;
  });
  if (divided.pop() !== value) throw new Error('the polynomial does not have this value');
  return divided.toReversed();
}
