import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { FailedCheck } from '../failed-check.ts';
import type { ProofFailure } from '../proof-verdict.ts';
import { type Challenges, openedAtR } from './challenges.ts';
import { type HintsKey, type KeyPoint, keyPoint } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { isPairingProductOne } from './pairing-product.ts';
import { Fr, G1, type G1Point } from './points.ts';

type Equation = readonly [ProofFailure, string, () => readonly (readonly [G1Point, KeyPoint])[]];

/**
 * Checks the pairing equations one after the other: slow, but it knows which one fails.
 *
 * @throws FailedCheck `bls`, `open_r`, `open_r_omega`, `key_identity`, `degree`
 * @see contracts/streams.md section 18.5, steps 2 and 7 to 10
 */
export function checkOneByOne(
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
