import { bls12_381 } from '@noble/curves/bls12-381.js';
import { FailedCheck } from '../failed-check.ts';
import { Fr, type G2Point, PointReader } from './points.ts';

/** Roots of unity of 2 to this exist in the scalar field. */
const TWO_ADICITY = 32n;
const GENERATOR = 7n;

type PairingLines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

/** A G2 point of the key and, unless it is the identity, what each pairing with it needs. */
export interface KeyPoint {
  readonly point: G2Point;
  readonly lines: PairingLines | null;
}

/**
 * Reads a verification key strictly.
 *
 * @throws FailedCheck `encoding`
 * @see contracts/streams.md section 18.5
 */
export function parseHintsKey(bytes: Uint8Array) {
  const reader = new PointReader(bytes);
  const n = reader.uint64();
  if (n < 2n || n > 1n << TWO_ADICITY || (n & (n - 1n)) !== 0n) {
    throw new FailedCheck('encoding', `the domain of the verification key is ${n}, not a power of two`);
  }
  const totalWeight = reader.scalar('the total weight');
  const g0 = reader.g1('g0');
  const [h0, h1] = [reader.g2('h0'), reader.g2('h1')];
  const lastLagrange = reader.g1('the last Lagrange commitment');
  const weights = reader.g1('the weight commitment');
  const [secretKeys, vanishing] = [reader.g2('SK'), reader.g2('Z')];
  reader.expectEnd('the verification key');
  return {
    /** Size of the domain: seats of the roster, one of them reserved, rounded up to a power of two. */
    n,
    totalWeight,
    /** Generates the n-th roots of unity. */
    omega: rootOfUnity(n),
    g0,
    h0: keyPoint(h0),
    h1: keyPoint(h1),
    lastLagrange,
    weights,
    secretKeys: keyPoint(secretKeys),
    vanishing: keyPoint(vanishing),
  };
}

/** The key against which threshold signatures are checked, parsed. */
export type HintsKey = Readonly<ReturnType<typeof parseHintsKey>>;

/** Generates the n-th roots of unity, n a power of two. */
export function rootOfUnity(n: bigint): bigint {
  return Fr.pow(Fr.pow(GENERATOR, (Fr.ORDER - 1n) >> TWO_ADICITY), (1n << TWO_ADICITY) / n);
}

/** Does the part of a pairing that depends on the G2 point alone. */
export function keyPoint(point: G2Point): KeyPoint {
  return { point, lines: point.is0() ? null : bls12_381.utils.calcPairingPrecomputes(point) };
}
