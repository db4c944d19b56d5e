import { FailedCheck } from '../failed-check.ts';
import { PointReader } from './points.ts';

/**
 * Reads a threshold signature strictly. The identity is refused where it would sign for nobody.
 *
 * @throws FailedCheck `encoding`
 * @see contracts/streams.md section 18.5
 */
export function parseHintsSignature(bytes: Uint8Array) {
  const reader = new PointReader(bytes);
  const aggregateKey = reader.g1('aPK');
  const claimedWeight = reader.scalar('the claimed weight');
  const sigma = reader.g2('sigma');
  if (aggregateKey.is0()) throw new FailedCheck('encoding', 'aPK is the identity');
  if (sigma.is0()) throw new FailedCheck('encoding', 'sigma is the identity');
  // Q3 comes before Q2, in the commitments as in the evaluations.
  const points = {
    bits: reader.g1('B'),
    qx: reader.g1('Qx'),
    qxTau: reader.g1('Qxτ'),
    qz: reader.g1('Qz'),
    partialSums: reader.g1('PS'),
    q1: reader.g1('Q1'),
    q3: reader.g1('Q3'),
    q2: reader.g1('Q2'),
    q4: reader.g1('Q4'),
    openingAtR: reader.g1('the opening at r'),
    openingBefore: reader.g1('the opening at r/ω'),
  };
  const values = {
    partialSums: reader.scalar('PS(r)'),
    partialSumsBefore: reader.scalar('PS(r/ω)'),
    weights: reader.scalar('W(r)'),
    bits: reader.scalar('B(r)'),
    q1: reader.scalar('Q1(r)'),
    q3: reader.scalar('Q3(r)'),
    q2: reader.scalar('Q2(r)'),
    q4: reader.scalar('Q4(r)'),
  };
  reader.expectEnd('the threshold signature');
  return { aggregateKey, claimedWeight, sigma, ...points, values };
}

/** A threshold signature: who signed, hidden in commitments, and the proof of their weight. */
export type HintsSignature = Readonly<ReturnType<typeof parseHintsSignature>>;

/** Values of the polynomials at the point r, and of the partial sums also at r/ω. */
export type Evaluations = HintsSignature['values'];
