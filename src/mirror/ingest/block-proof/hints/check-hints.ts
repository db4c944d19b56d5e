import { mulAddUnsafe, normalizeZ } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { FailedCheck } from '../failed-check.ts';
import { hashToField } from '../hash-to-field.ts';
import type { ProofFailure, ProofGeneration } from '../proof-verdict.ts';
import { type HintsKey, type KeyPoint, keyPoint } from './hints-key.ts';
import type { Evaluations, HintsSignature } from './hints-signature.ts';
import { Fr, G1, type G1Point, scalarBytes } from './points.ts';

const MESSAGE_DOMAIN = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
const FACTOR_BYTES = 16;

/** Gives so many random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * Checks that signers of more than half of the weight signed the root.
 *
 * All equations are merged into one product of six pairings by factors that nobody could know before. When it is not
 * one, each equation is checked by itself to name the one that fails.
 *
 * @throws FailedCheck with the name of the check.
 * @see contracts/streams.md sections 18.5 and 18.10
 */
export function checkHints(
  key: HintsKey,
  signature: HintsSignature,
  root: Uint8Array,
  generation: ProofGeneration,
  randomBytes: RandomBytes,
): void {
  checkThreshold(key, signature);
  const challenges = challengesOf(key, signature, generation);
  checkEvaluations(key, challenges.r, signature.values);
  const message = hashToMessage(root);
  if (isPairingProductOne(mergedPairs(key, signature, challenges, message, randomBytes))) return;
  checkOneByOne(key, signature, challenges, message);
  throw new FailedCheck('bls', 'the merged check fails although each by itself holds');
}

/** More than half of the weight, and no more than there is. @throws FailedCheck `threshold` */
function checkThreshold({ totalWeight }: HintsKey, { claimedWeight }: HintsSignature): void {
  if (claimedWeight <= totalWeight && 2n * claimedWeight > totalWeight) return;
  throw new FailedCheck(
    'threshold',
    `the claimed weight ${claimedWeight} is not more than half of ${totalWeight}, or more than all of it`,
  );
}

/** Hashes a root to the point that is signed. */
export function hashToMessage(root: Uint8Array): KeyPoint {
  return keyPoint(bls12_381.G2.hashToCurve(root, { DST: MESSAGE_DOMAIN }));
}

/** @see contracts/streams.md section 18.10, table of the merged check */
function mergedPairs(
  key: HintsKey,
  signature: HintsSignature,
  { batch, r, shiftedWeights }: Challenges,
  message: KeyPoint,
  randomBytes: RandomBytes,
): readonly (readonly [G1Point, KeyPoint])[] {
  const [a1, a2, a3, a4] = [
    factor(randomBytes),
    factor(randomBytes),
    factor(randomBytes),
    factor(randomBytes),
  ];
  const { aggregateKey, openingAtR, openingBefore, partialSums, qx, qxTau, qz, values } = signature;
  const rBefore = Fr.div(r, key.omega);
  const points = [key.g0, openingAtR, openingBefore, partialSums, aggregateKey, qxTau];
  const factors = [
    Fr.neg(Fr.mul(a2, values.partialSumsBefore)),
    Fr.mul(a1, r),
    Fr.mul(a2, rBefore),
    a2,
    Fr.neg(a3),
    Fr.neg(a4),
  ];
  let weight = a1;
  for (const { commitment, value } of openedAtR(signature, shiftedWeights)) {
    points.push(commitment);
    factors.push(weight);
    factors[0] = Fr.sub(factors[0] ?? 0n, Fr.mul(weight, value));
    weight = Fr.mul(weight, batch);
  }
  return [
    [aggregateKey, message],
    [key.g0.negate(), keyPoint(signature.sigma)],
    [mulAddUnsafe(G1, points, factors), key.h0],
    [mulAddUnsafe(G1, [openingAtR, openingBefore, qx], [Fr.neg(a1), Fr.neg(a2), Fr.sub(a4, a3)]), key.h1],
    [signature.bits.multiplyUnsafe(a3), key.secretKeys],
    [qz.multiplyUnsafe(a3).negate(), key.vanishing],
  ];
}

/** Odd, so never zero. */
function factor(randomBytes: RandomBytes): bigint {
  return BigInt(`0x${Buffer.from(randomBytes(FACTOR_BYTES)).toString('hex')}`) | 1n;
}

/**
 * Checks the identities of the polynomials at r with plain numbers.
 *
 * @throws FailedCheck `sum_identity`, `last_identity`, `bit_identity`, `end_identity`, or `encoding` for an r that lies
 * in the domain.
 * @see contracts/streams.md section 18.5, step 11
 */
function checkEvaluations({ n, omega }: HintsKey, r: bigint, values: Evaluations): void {
  const last = Fr.inv(omega);
  // z = 0 for every r in the domain: all quotients would be free.
  const z = Fr.sub(Fr.pow(r, n), 1n);
  if (r === 0n || z === 0n) throw new FailedCheck('encoding', 'the challenge lies in the domain');
  const lagrange = Fr.div(Fr.mul(last, z), Fr.mul(n, Fr.sub(r, last)));
  const identities: readonly [ProofFailure, string, bigint, bigint][] = [
    [
      'sum_identity',
      'the partial sums do not add up the weights of the signers',
      Fr.sub(Fr.sub(values.partialSums, values.partialSumsBefore), Fr.mul(values.weights, values.bits)),
      values.q1,
    ],
    [
      'last_identity',
      'the last partial sum is not the claimed weight',
      Fr.mul(lagrange, values.partialSums),
      values.q3,
    ],
    ['bit_identity', 'a seat is neither in nor out', Fr.sub(Fr.sqr(values.bits), values.bits), values.q2],
    ['end_identity', 'the reserved seat is not in', Fr.mul(lagrange, Fr.sub(values.bits, 1n)), values.q4],
  ];
  for (const [failure, reason, found, quotient] of identities) {
    if (found !== Fr.mul(quotient, z)) throw new FailedCheck(failure, reason);
  }
}

type Equation = readonly [ProofFailure, string, () => readonly (readonly [G1Point, KeyPoint])[]];

/**
 * Checks the pairing equations one after the other: slow, but it knows which one fails.
 *
 * @throws FailedCheck `bls`, `open_r`, `open_r_omega`, `key_identity`, `degree`
 * @see contracts/streams.md section 18.5, steps 2 and 7 to 10
 */
function checkOneByOne(
  key: HintsKey,
  signature: HintsSignature,
  challenges: Challenges,
  message: KeyPoint,
): void {
  for (const [failure, reason, pairs] of equations(key, signature, challenges, message)) {
    if (!isPairingProductOne(pairs())) throw new FailedCheck(failure, reason);
  }
}

function equations(
  key: HintsKey,
  signature: HintsSignature,
  { batch, r, shiftedWeights }: Challenges,
  message: KeyPoint,
): readonly Equation[] {
  const { g0, h0, h1 } = key;
  const { aggregateKey, bits, openingAtR, openingBefore, partialSums, qx, qxTau, qz, values } = signature;
  /** e(P, h0) = e(π, h1 − x·h0), written without a new G2 point. */
  const opens = (difference: G1Point, opening: G1Point, x: bigint) =>
    [
      [difference.add(opening.multiplyUnsafe(x)), h0],
      [opening.negate(), h1],
    ] as const;
  return [
    [
      'bls',
      'the signers did not sign this root',
      () => [
        [aggregateKey, message],
        [g0.negate(), keyPoint(signature.sigma)],
      ],
    ],
    [
      'open_r',
      'a commitment does not open to its value at r',
      () => opens(openedDifference(signature, shiftedWeights, g0, batch), openingAtR, r),
    ],
    [
      'open_r_omega',
      'the partial sums do not open to their value at r/ω',
      () =>
        opens(
          partialSums.subtract(g0.multiplyUnsafe(values.partialSumsBefore)),
          openingBefore,
          Fr.div(r, key.omega),
        ),
    ],
    [
      'key_identity',
      'the aggregated key is not that of the signers',
      () => [
        [bits.negate(), key.secretKeys],
        [qz, key.vanishing],
        [qx, h1],
        [aggregateKey, h0],
      ],
    ],
    [
      'degree',
      'Qx has too high a degree',
      () => [
        [qx, h1],
        [qxTau.negate(), h0],
      ],
    ],
  ];
}

/** M = Σ c^i (C_i − v_i g0) */
function openedDifference(
  signature: HintsSignature,
  shiftedWeights: G1Point,
  g0: G1Point,
  batch: bigint,
): G1Point {
  const opened = openedAtR(signature, shiftedWeights);
  const weights = opened.map((_, index) => Fr.pow(batch, BigInt(index)));
  const value = opened.reduce(
    (sum, each, index) => Fr.add(sum, Fr.mul(weights[index] ?? 0n, each.value)),
    0n,
  );
  return mulAddUnsafe(G1, [g0, ...opened.map(({ commitment }) => commitment)], [Fr.neg(value), ...weights]);
}

const { Fp12 } = bls12_381.fields;

/** Tells whether the product of the pairings is one. Pairs with an identity are one by themselves. */
function isPairingProductOne(pairs: readonly (readonly [G1Point, KeyPoint])[]): boolean {
  const kept = pairs.filter(([g1, { lines }]) => lines !== null && !g1.is0());
  const affine = normalizeZ(
    G1,
    kept.map(([g1]) => g1),
  );
  const product = bls12_381.millerLoopBatch(
    kept.map(([, { lines }], index) => {
      const { x, y } = (affine[index] ?? G1.ZERO).toAffine();
      return [lines ?? [], x, y];
    }),
  );
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}

const EVALUATION_DOMAIN = {
  1: 'HINTS_SIG_BLS12381:FIAT_SHAMIR',
  2: 'HINTS_SIG_BLS12381:FIAT_SHAMIR_HINTS',
} as const;
const BATCH_DOMAIN = 'HINTS_SIG_BLS12381:FIAT_SHAMIR_KZG_BATCH';

/** The numbers that a signer could not choose. */
interface Challenges {
  /** The point at which the polynomials are opened. */
  readonly r: bigint;
  /** Its powers weigh the openings at r. */
  readonly batch: bigint;
  /** W′ = Wc − w·L: the commitment to the weights of which the last is minus the claimed weight. */
  readonly shiftedWeights: G1Point;
}

/**
 * Derives the challenges from what was committed to before.
 *
 * Generation 1 weighs the openings with powers of r itself, so that evaluations can be chosen after it; generation 2
 * binds them.
 *
 * @see contracts/streams.md section 18.5, steps 4 to 6
 */
export function challengesOf(
  key: HintsKey,
  signature: HintsSignature,
  generation: ProofGeneration,
): Challenges {
  const { bits, partialSums, q1, q2, q3, q4, qx, qxTau, qz } = signature;
  const r = hashToField(
    Fr.ORDER,
    EVALUATION_DOMAIN[generation],
    Buffer.concat([
      ...[key.secretKeys.point, key.h1.point].map((point) => point.toBytes(true)),
      signature.aggregateKey.toBytes(true),
      scalarBytes(signature.claimedWeight),
      ...[key.weights, bits, partialSums, qx, qz, qxTau, q1, q2, q3, q4].map((point) => point.toBytes(true)),
    ]),
  );
  const shiftedWeights = key.weights.subtract(key.lastLagrange.multiplyUnsafe(signature.claimedWeight));
  if (generation === 1) return { r, batch: r, shiftedWeights };
  const opened = openedAtR(signature, shiftedWeights);
  const batch = hashToField(
    Fr.ORDER,
    BATCH_DOMAIN,
    Buffer.concat([
      ...opened.map(({ commitment }) => commitment.toBytes(true)),
      ...opened.map(({ value }) => scalarBytes(value)),
    ]),
  );
  return { r, batch, shiftedWeights };
}

/** The seven commitments that one proof opens at r, in the order of their weights, each with what it opens to. */
export function openedAtR(
  { bits, partialSums, q1, q2, q3, q4, values }: HintsSignature,
  shiftedWeights: G1Point,
): readonly { readonly commitment: G1Point; readonly value: bigint }[] {
  return [
    { commitment: partialSums, value: values.partialSums },
    { commitment: shiftedWeights, value: values.weights },
    { commitment: bits, value: values.bits },
    { commitment: q1, value: values.q1 },
    { commitment: q3, value: values.q3 },
    { commitment: q2, value: values.q2 },
    { commitment: q4, value: values.q4 },
  ];
}
