import {
  challengesOf,
  hashToMessage,
  openedAtR,
} from '../../../../../src/mirror/ingest/block-proof/hints/check-hints.ts';
import {
  type HintsKey,
  parseHintsKey,
} from '../../../../../src/mirror/ingest/block-proof/hints/hints-key.ts';
import type {
  Evaluations,
  HintsSignature,
} from '../../../../../src/mirror/ingest/block-proof/hints/hints-signature.ts';
import {
  Fr,
  G1,
  type G1Point,
  G2,
  type G2Point,
  scalarBytes,
} from '../../../../../src/mirror/ingest/block-proof/hints/points.ts';
import type { ProofGeneration } from '../../../../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { dot, valueAt, vanishing } from './polynomials.ts';

/** The secret of the set-up. Everybody knows it here, so that commitments are plain numbers times the generator. */
const TAU = 0x1234_5678_9abc_def0_1234_5678_9abc_def1n;

/** Who signs what, and what of it is false. */
export interface HintsOrder {
  readonly root: Uint8Array;
  readonly seats: readonly number[];
  readonly generation: ProofGeneration;
  readonly claimedWeight?: bigint;
  /** Changes what is committed to before the challenges are drawn. */
  readonly alter?: (signature: HintsSignature) => HintsSignature;
}

/** Polynomials by their values on the domain. */
interface Assignment {
  readonly claimedWeight: bigint;
  readonly bits: readonly bigint[];
  readonly weights: readonly bigint[];
  readonly partialSums: readonly bigint[];
}

/** Nodes that sign roots as those of a network do, for made-up blocks and for the rules of generation 2. */
export class HintsNetwork {
  /** The verification key, 1096 bytes. */
  readonly keyBytes: Uint8Array;
  readonly #key: HintsKey;
  readonly #secrets: readonly bigint[];
  readonly #weights: readonly bigint[];

  constructor(weights: readonly bigint[]) {
    let n = 2;
    while (n <= weights.length) n *= 2;
    // The last seat is reserved: it always takes part, without secret or weight.
    this.#weights = Array.from({ length: n }, (_, seat) => weights[seat] ?? 0n);
    this.#secrets = this.#weights.map((_, seat) => (seat < weights.length ? BigInt(seat + 7) ** 20n : 0n));
    const inLast = this.#weights.map((_, seat) => (seat === n - 1 ? 1n : 0n));
    this.keyBytes = Buffer.concat([
      scalarBytes(BigInt(n)).subarray(0, 8),
      scalarBytes(weights.reduce((sum, weight) => sum + weight, 0n)),
      g1(1n).toBytes(false),
      ...[1n, TAU].map((factor) => g2(factor).toBytes(false)),
      ...[inLast, this.#weights].map((values) => g1(valueAt(values, TAU)).toBytes(false)),
      ...[valueAt(this.#secrets, TAU), vanishing(n, TAU)].map((factor) => g2(factor).toBytes(false)),
    ]);
    this.#key = parseHintsKey(this.keyBytes);
  }

  /** A threshold signature, 1632 bytes. */
  sign(order: HintsOrder): Uint8Array {
    const { alter = (signature) => signature, generation, root } = order;
    const assignment = this.#assign(order);
    const hidden = this.#evaluate(assignment, TAU);
    const committed = alter({ ...this.#aggregate(assignment, root), ...commitments(hidden), values: hidden });
    const { r } = challengesOf(this.#key, committed, generation);
    const values = this.#evaluate(assignment, r);
    const { batch, shiftedWeights } = challengesOf(this.#key, { ...committed, values }, generation);
    const [atTau, atR] = [hidden, values].map((each) =>
      dot(
        openedAtR({ ...committed, values: each }, shiftedWeights).map(({ value }) => value),
        batch,
      ),
    ) as [bigint, bigint];
    const before = Fr.div(r, this.#key.omega);
    return signatureBytes({
      ...committed,
      values,
      openingAtR: g1(Fr.div(Fr.sub(atTau, atR), Fr.sub(TAU, r))),
      openingBefore: g1(Fr.div(Fr.sub(hidden.partialSums, values.partialSumsBefore), Fr.sub(TAU, before))),
    });
  }

  #assign({ claimedWeight, seats }: HintsOrder): Assignment {
    const reserved = this.#weights.length - 1;
    const bits = this.#weights.map((_, seat) => (seat === reserved || seats.includes(seat) ? 1n : 0n));
    const claimed =
      claimedWeight ?? this.#weights.reduce((sum, each, seat) => sum + each * (bits[seat] ?? 0n), 0n);
    const weights = this.#weights.map((each, seat) => (seat === reserved ? Fr.neg(claimed) : each));
    let sum = 0n;
    const partialSums = weights.map((each, seat) => {
      sum = Fr.add(sum, Fr.mul(each, bits[seat] ?? 0n));
      return sum;
    });
    return { bits, claimedWeight: claimed, partialSums, weights };
  }

  /** All polynomials at a point outside the domain. */
  #evaluate({ bits, partialSums, weights }: Assignment, x: bigint): Evaluations {
    const z = vanishing(bits.length, x);
    const lagrange = valueAt(
      bits.map((_, seat) => (seat === bits.length - 1 ? 1n : 0n)),
      x,
    );
    const [b, ps, w] = [valueAt(bits, x), valueAt(partialSums, x), valueAt(weights, x)];
    const before = valueAt(partialSums, Fr.div(x, this.#key.omega));
    return {
      bits: b,
      partialSums: ps,
      partialSumsBefore: before,
      weights: w,
      q1: Fr.div(Fr.sub(Fr.sub(ps, before), Fr.mul(w, b)), z),
      q2: Fr.div(Fr.sub(Fr.sqr(b), b), z),
      // Without the rest, which a false weight leaves: who does not know the secret cannot commit to a fraction.
      q3: Fr.div(Fr.mul(lagrange, Fr.sub(ps, partialSums.at(-1) ?? 0n)), z),
      q4: Fr.div(Fr.mul(lagrange, Fr.sub(b, 1n)), z),
    };
  }

  /** SK(X)·B(X) = Qz(X)·Z(X) + Qx(X)·X + aPK */
  #aggregate({ bits, claimedWeight }: Assignment, root: Uint8Array) {
    const signed = this.#secrets.map((secret, seat) => Fr.mul(secret, bits[seat] ?? 0n));
    const aggregate = Fr.div(signed.reduce(Fr.add.bind(Fr), 0n), BigInt(signed.length));
    const remainder = valueAt(signed, TAU);
    const product = Fr.mul(valueAt(this.#secrets, TAU), valueAt(bits, TAU));
    const qx = Fr.div(Fr.sub(remainder, aggregate), TAU);
    return {
      aggregateKey: g1(aggregate),
      claimedWeight,
      sigma: hashToMessage(root).point.multiplyUnsafe(aggregate),
      qx: g1(qx),
      qxTau: g1(Fr.mul(qx, TAU)),
      qz: g1(Fr.div(Fr.sub(product, remainder), vanishing(bits.length, TAU))),
      openingAtR: G1.ZERO,
      openingBefore: G1.ZERO,
    };
  }
}

function commitments({ bits, partialSums, q1, q2, q3, q4 }: Evaluations) {
  return {
    bits: g1(bits),
    partialSums: g1(partialSums),
    q1: g1(q1),
    q2: g1(q2),
    q3: g1(q3),
    q4: g1(q4),
  };
}

/** The form that is parsed, in its order. */
export function signatureBytes(signature: HintsSignature): Uint8Array {
  const { values } = signature;
  const { bits, openingAtR, openingBefore, partialSums, q1, q2, q3, q4, qx, qxTau, qz } = signature;
  return Buffer.concat([
    signature.aggregateKey.toBytes(false),
    scalarBytes(signature.claimedWeight),
    signature.sigma.toBytes(false),
    ...[bits, qx, qxTau, qz, partialSums, q1, q3, q2, q4, openingAtR, openingBefore].map((point) =>
      point.toBytes(false),
    ),
    ...[values.partialSums, values.partialSumsBefore, values.weights, values.bits].map(scalarBytes),
    ...[values.q1, values.q3, values.q2, values.q4].map(scalarBytes),
  ]);
}

function g1(factor: bigint): G1Point {
  return G1.BASE.multiplyUnsafe(factor);
}

function g2(factor: bigint): G2Point {
  return G2.BASE.multiplyUnsafe(factor);
}
