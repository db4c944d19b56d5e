import type { G1Point, G2Point } from './bn254-points.ts';
import { ByteReader } from './byte-reader.ts';

/** Commitments to the witness (W) and to the error (E) of one side of a folding. */
export interface Commitments {
  readonly w: G1Point;
  readonly e: G1Point;
}

/** That a chain of address books leads from the first one of the ledger to the one that signed a threshold key. */
export interface WrapsProof {
  readonly steps: bigint;
  /** Hash of the address book, then of its threshold key; at the beginning and now. */
  readonly first: readonly bigint[];
  readonly current: readonly bigint[];
  readonly running: Commitments;
  readonly incoming: Commitments;
  readonly groth16: { readonly a: G1Point; readonly b: G2Point; readonly c: G1Point };
  /** Of the folded W and E: the value at the challenge, and the proof of it. */
  readonly openings: readonly { readonly evaluation: bigint; readonly proof: G1Point }[];
  readonly crossTerm: G1Point;
  readonly fold: bigint;
  readonly challenges: readonly bigint[];
}

/**
 * Decodes the 704 bytes of a compressed WRAPS proof.
 *
 * @throws FailedCheck `encoding`.
 * @see contracts/streams.md section 18.7
 */
export function readWrapsProof(bytes: Uint8Array): WrapsProof {
  const reader = new ByteReader(bytes, 'the WRAPS proof');
  const commitments = (): Commitments => {
    const [w, e] = reader.list(2, () => reader.g1()) as [G1Point, G1Point];
    return { w, e };
  };
  const proof: WrapsProof = {
    steps: reader.scalar(),
    first: reader.list(2, () => reader.scalar()),
    current: reader.list(2, () => reader.scalar()),
    running: commitments(),
    incoming: commitments(),
    groth16: { a: reader.g1(), b: reader.g2(), c: reader.g1() },
    openings: Array.from({ length: 2 }, () => ({ evaluation: reader.scalar(), proof: reader.g1() })),
    crossTerm: reader.g1(),
    fold: reader.scalar(),
    challenges: [reader.scalar(), reader.scalar()],
  };
  reader.end();
  return proof;
}
