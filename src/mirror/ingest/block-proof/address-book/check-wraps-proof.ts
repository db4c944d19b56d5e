import { bytesToNumberLE } from '@noble/curves/utils.js';
import type { ProofFailure } from '../proof-verdict.ts';
import { type G1Point, isPairingProductOne, times } from './bn254-points.ts';
import { demand, failureOf } from './demand.ts';
import { verificationKeyHash } from './verification-key-hash.ts';
import { readWrapsKey, type WrapsKey } from './wraps-key.ts';
import { type Commitments, readWrapsProof, type WrapsProof } from './wraps-proof.ts';

/** A coordinate in the circuit: five numbers of 55 bits, the lowest first. */
const LIMBS = { count: 5, bits: 55n } as const;

export interface WrapsQuestion {
  readonly proof: Uint8Array;
  /** The threshold key that the current address book is said to have signed. */
  readonly verificationKey: Uint8Array;
  readonly ledgerId: Uint8Array;
  /** 1,768 bytes, published with the ledger id. */
  readonly wrapsKey: Uint8Array;
  readonly generation: 1 | 2;
}

/**
 * Whether a chain of address books leads from that of the ledger id to one that signed the threshold key.
 *
 * @returns null when it holds, else what failed.
 * @see contracts/streams.md section 18.7
 */
export function checkWrapsProof(question: WrapsQuestion): ProofFailure | null {
  return failureOf(() => demandWrapsProof(question));
}

/** @throws FailedCheck */
export function demandWrapsProof(question: WrapsQuestion): void {
  const proof = readWrapsProof(question.proof);
  const key = readWrapsKey(question.wrapsKey);
  const keyHash = bytesToNumberLE(verificationKeyHash(question.verificationKey, question.generation));
  demand(proof.current[1] === keyHash, 'vk_hash', 'the proof is about another threshold key');
  const ledgerId = bytesToNumberLE(question.ledgerId);
  demand(proof.first[0] === ledgerId, 'ledger_id', 'the proof begins with another address book');
  demand(proof.steps > 1n && proof.incoming.e.is0(), 'steps', 'the recursion began incorrectly');

  const folded = fold(proof);
  demand(isGroth16True(key, proof, folded), 'groth16', 'the circuit was not satisfied');
  for (const [index, commitment] of [folded.w, folded.e].entries()) {
    demand(isOpeningTrue(key, proof, index, commitment), 'kzg', `opening ${index + 1} is false`);
  }
}

function fold({ crossTerm, fold, incoming, running }: WrapsProof): Commitments {
  return { w: running.w.add(times(incoming.w, fold)), e: running.e.add(times(crossTerm, fold)) };
}

function isGroth16True({ groth16, parameters }: WrapsKey, proof: WrapsProof, folded: Commitments): boolean {
  const { alpha, beta, delta, gamma, inputs } = groth16;
  const { a, b, c } = proof.groth16;
  const [constant, ...points] = inputs as [G1Point, ...G1Point[]];
  const sum = publicInputs(parameters, proof, folded).reduce(
    (total, input, index) => total.add(times(points[index] as G1Point, input)),
    constant,
  );
  return isPairingProductOne([
    [a, b],
    [alpha.negate(), beta],
    [sum.negate(), gamma],
    [c.negate(), delta],
  ]);
}

function publicInputs(parameters: bigint, proof: WrapsProof, folded: Commitments): readonly bigint[] {
  return [
    parameters,
    proof.steps,
    ...proof.first,
    ...proof.current,
    ...limbs(folded.w),
    ...limbs(folded.e),
    ...proof.challenges,
    ...proof.openings.map(({ evaluation }) => evaluation),
    ...limbs(proof.crossTerm),
  ];
}

function limbs(point: G1Point): readonly bigint[] {
  const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine();
  return [x, y].flatMap((coordinate) =>
    Array.from({ length: LIMBS.count }, (_, index) =>
      BigInt.asUintN(Number(LIMBS.bits), coordinate >> (LIMBS.bits * BigInt(index))),
    ),
  );
}

/** That the committed polynomial has the value at the challenge. */
function isOpeningTrue({ kzg }: WrapsKey, proof: WrapsProof, index: number, commitment: G1Point): boolean {
  const { challenges, openings } = proof;
  const [challenge, opening] = [challenges[index] as bigint, openings[index] as WrapsProof['openings'][0]];
  const shifted = commitment
    .add(times(kzg.g, opening.evaluation).negate())
    .add(times(opening.proof, challenge));
  return isPairingProductOne([
    [shifted, kzg.h],
    [opening.proof.negate(), kzg.betaH],
  ]);
}
