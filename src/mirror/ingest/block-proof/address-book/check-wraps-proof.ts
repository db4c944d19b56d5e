import { bytesToNumberLE } from '@noble/curves/utils.js';
import { demand } from '../failed-check.ts';
import { ByteReader, type G1Point, isPairingProductOne, times } from './bn254-points.ts';
import { verificationKeyHash } from './verification-key-hash.ts';

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
 * @throws FailedCheck
 * @see contracts/streams.md section 18.7
 */
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

/** Commitments to the witness (W) and to the error (E) of one side of a folding. */
interface Commitments {
  readonly w: G1Point;
  readonly e: G1Point;
}

/**
 * Decodes the 704 bytes of a compressed WRAPS proof.
 *
 * @throws FailedCheck `encoding`.
 * @see contracts/streams.md section 18.7
 */
function readWrapsProof(bytes: Uint8Array) {
  const reader = new ByteReader(bytes, 'the WRAPS proof');
  const commitments = (): Commitments => {
    const [w, e] = reader.list(2, () => reader.g1()) as [G1Point, G1Point];
    return { w, e };
  };
  const proof = {
    steps: reader.scalar(),
    /** Hash of the address book, then of its threshold key; at the beginning and now. */
    first: reader.list(2, () => reader.scalar()),
    current: reader.list(2, () => reader.scalar()),
    running: commitments(),
    incoming: commitments(),
    groth16: { a: reader.g1(), b: reader.g2(), c: reader.g1() },
    /** Of the folded W and E: the value at the challenge, and the proof of it. */
    openings: Array.from({ length: 2 }, () => ({ evaluation: reader.scalar(), proof: reader.g1() })),
    crossTerm: reader.g1(),
    fold: reader.scalar(),
    challenges: [reader.scalar(), reader.scalar()],
  };
  reader.end();
  return proof;
}

/** That a chain of address books leads from the first one of the ledger to the one that signed a threshold key. */
type WrapsProof = Readonly<ReturnType<typeof readWrapsProof>>;

/** One more than there are public inputs. */
const INPUT_POINTS = 41;

/**
 * Decodes the 1,768 bytes of a verification key.
 *
 * @throws FailedCheck `encoding`.
 * @see contracts/streams.md section 18.7
 */
function readWrapsKey(bytes: Uint8Array) {
  const reader = new ByteReader(bytes, 'the WRAPS key');
  /** Hash of the parameters of the recursion. */
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

/** What WRAPS proofs of a ledger are checked with. */
type WrapsKey = Readonly<ReturnType<typeof readWrapsKey>>;
