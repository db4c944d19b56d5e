import type { G1Point, G2Point } from './bn254-points.ts';
import { ByteReader } from './byte-reader.ts';

/** One more than there are public inputs. */
const INPUT_POINTS = 41;

/** What WRAPS proofs of a ledger are checked with. */
export interface WrapsKey {
  /** Hash of the parameters of the recursion. */
  readonly parameters: bigint;
  readonly groth16: {
    readonly alpha: G1Point;
    readonly beta: G2Point;
    readonly gamma: G2Point;
    readonly delta: G2Point;
    readonly inputs: readonly G1Point[];
  };
  readonly kzg: {
    readonly g: G1Point;
    readonly h: G2Point;
    readonly betaH: G2Point;
  };
}

/**
 * Decodes the 1,768 bytes of a verification key.
 *
 * @throws FailedCheck `encoding`.
 * @see contracts/streams.md section 18.7
 */
export function readWrapsKey(bytes: Uint8Array): WrapsKey {
  const reader = new ByteReader(bytes, 'the WRAPS key');
  const parameters = reader.scalar();
  const groth16 = {
    alpha: reader.g1(),
    beta: reader.g2(),
    gamma: reader.g2(),
    delta: reader.g2(),
    inputs: reader.list(INPUT_POINTS, () => reader.g1()),
  };
  const g = reader.g1();
  // The blinded generator is not used by this check.
  reader.g1();
  const kzg = { g, h: reader.g2(), betaH: reader.g2() };
  reader.end();
  return { parameters, groth16, kzg };
}
