import { hashToField } from '../hash-to-field.ts';
import type { ProofGeneration } from '../proof-verdict.ts';
import type { HintsKey } from './hints-key.ts';
import type { HintsSignature } from './hints-signature.ts';
import { Fr, type G1Point, scalarBytes } from './points.ts';

const EVALUATION_DOMAIN = {
  1: 'HINTS_SIG_BLS12381:FIAT_SHAMIR',
  2: 'HINTS_SIG_BLS12381:FIAT_SHAMIR_HINTS',
} as const;
const BATCH_DOMAIN = 'HINTS_SIG_BLS12381:FIAT_SHAMIR_KZG_BATCH';

/** The numbers that a signer could not choose. */
export interface Challenges {
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
