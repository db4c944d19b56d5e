import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { FailedCheck } from '../failed-check.ts';
import type { ProofGeneration } from '../proof-verdict.ts';
import { type Challenges, challengesOf, openedAtR } from './challenges.ts';
import { checkEvaluations } from './check-evaluations.ts';
import { type HintsKey, type KeyPoint, keyPoint } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { isPairingProductOne } from './pairing-product.ts';
import { Fr, G1, type G1Point } from './points.ts';
import { checkOneByOne } from './single-checks.ts';

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
