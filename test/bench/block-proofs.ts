import { randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { checkBlockProof } from '../../src/mirror/ingest/block-proof/check-block-proof.ts';
import { challengesOf, hashToMessage } from '../../src/mirror/ingest/block-proof/hints/check-hints.ts';
import { parseHintsKey } from '../../src/mirror/ingest/block-proof/hints/hints-key.ts';
import { parseHintsSignature } from '../../src/mirror/ingest/block-proof/hints/hints-signature.ts';
import { ProofCaches } from '../../src/mirror/ingest/block-proof/proof-caches.ts';
import type { ProofQuestion } from '../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { SignedNetwork } from '../kit/mirror/ingest/block-proof/signed-network.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { median } from './statistics.ts';

const WARM_UP = 10;
const MEASURED = 30;
const BAR_MS = 150;
const PAIRINGS = 6;

/** CPU time of the proofs of directly signed blocks, whose key is known, beside what the library's arithmetic costs alone. */
export async function measureBlockProofs(): Promise<BenchmarkResult> {
  const network = new SignedNetwork(
    Array.from({ length: 30 }, () => 1n),
    2,
  );
  const seats = Array.from({ length: 20 }, (_, seat) => seat);
  const questions = Array.from({ length: WARM_UP + MEASURED }, (_, index): ProofQuestion => {
    const root = randomBytes(48);
    return {
      blockNumber: BigInt(index),
      root,
      proof: network.directProof(BigInt(index), { root, seats }),
      trust: network.trust,
    };
  });
  const first = cpuMs(() => prove(questions.slice(0, 1), new ProofCaches()));
  const caches = new ProofCaches();
  prove(questions.slice(0, WARM_UP), caches);
  const measured = questions.slice(WARM_UP);
  const product = each(measured, (question) => prove([question], caches));
  const key = parseHintsKey(network.hints.keyBytes);
  const signatureOf = ({ proof }: ProofQuestion) => parseHintsSignature(proof.subarray(-192 - 1632, -192));
  const parts = {
    points: each(measured, signatureOf),
    'hash to G2': each(measured, ({ root }) => hashToMessage(root)),
    challenges: each(measured.map(signatureOf), (signature) => challengesOf(key, signature, 2)),
    pairings: each(measured, barePairings),
  };
  const ceiling = parts.points + parts['hash to G2'] + parts.pairings;
  const rest = product - ceiling - parts.challenges;
  const named = Object.entries({ ...parts, 'multiplications and the rest': rest });
  return {
    what: `CPU time of one proof of a directly signed block, median of ${MEASURED}`,
    ceiling: `${ceiling.toFixed(1)} ms: reading the points, one hash to the curve and ${PAIRINGS} pairings by the library alone`,
    product: `${product.toFixed(1)} ms (${named.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', ')}); ${first.toFixed(0)} ms for the first one of a key, cold`,
    ratio: ceiling / product,
    target: `<= ${BAR_MS} ms of CPU`,
    bar: product <= BAR_MS ? 'kept' : 'MISSED',
  };
}

function prove(questions: readonly ProofQuestion[], caches: ProofCaches): void {
  for (const question of questions) {
    const { kind } = checkBlockProof(question, { caches, randomBytes });
    if (kind !== 'holds') throw new Error(`a proof is ${kind}`);
  }
}

function barePairings(): void {
  const { G1, G2 } = bls12_381;
  const lines = bls12_381.utils.calcPairingPrecomputes(G2.Point.BASE);
  // Two of the six points are new with each proof.
  bls12_381.utils.calcPairingPrecomputes(G2.Point.BASE);
  const { x, y } = G1.Point.BASE.toAffine();
  const product = bls12_381.millerLoopBatch(Array.from({ length: PAIRINGS }, () => [lines, x, y]));
  bls12_381.fields.Fp12.finalExponentiate(product);
}

function each<T>(values: readonly T[], work: (value: T) => unknown): number {
  return median(values.map((value) => cpuMs(() => work(value))));
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1000;
}
