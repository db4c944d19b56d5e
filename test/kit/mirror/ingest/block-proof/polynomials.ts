import { rootOfUnity } from '../../../../../src/mirror/ingest/block-proof/hints/hints-key.ts';
import { Fr } from '../../../../../src/mirror/ingest/block-proof/hints/points.ts';

/** The value at a point outside the domain, of the polynomial with these values at the roots of unity. */
export function valueAt(values: readonly bigint[], x: bigint): bigint {
  const omega = rootOfUnity(BigInt(values.length));
  const sum = values.reduce((total, value, index) => {
    const root = Fr.pow(omega, BigInt(index));
    return Fr.add(total, Fr.mul(value, Fr.div(root, Fr.sub(x, root))));
  }, 0n);
  return Fr.div(Fr.mul(sum, vanishing(values.length, x)), BigInt(values.length));
}

/** x^n − 1, which is zero on the domain. */
export function vanishing(n: number, x: bigint): bigint {
  return Fr.sub(Fr.pow(x, BigInt(n)), 1n);
}

/** Σ values_i · base^i */
export function dot(values: readonly bigint[], base: bigint): bigint {
  return values.reduceRight((sum, value) => Fr.add(Fr.mul(sum, base), value), 0n);
}
