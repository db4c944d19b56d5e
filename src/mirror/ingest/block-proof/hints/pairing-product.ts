import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { KeyPoint } from './hints-key.ts';
import { G1, type G1Point } from './points.ts';

const { Fp12 } = bls12_381.fields;

/** Tells whether the product of the pairings is one. Pairs with an identity are one by themselves. */
export function isPairingProductOne(pairs: readonly (readonly [G1Point, KeyPoint])[]): boolean {
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
