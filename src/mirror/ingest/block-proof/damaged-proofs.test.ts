import { randomBytes } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { FLIPS_ALL, flippedBits } from '../../../../test/kit/mirror/ingest/block-proof/flipped-bits.ts';
import { blockSignatureOf } from '../../../../test/kit/mirror/ingest/block-proof/real-blocks.ts';
import { REAL_BLOCKS, realQuestion } from '../../../../test/kit/mirror/ingest/block-proof/real-questions.ts';
import { writtenMessage } from '../../../../test/kit/mirror/ingest/block-proof/written-message.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { checkBlockProof } from './check-block-proof.ts';
import { G1 } from './hints/points.ts';
import { ProofCaches } from './proof-caches.ts';
import type { ProofQuestion } from './proof-verdict.ts';

/*
 * A check that holds on a changed byte is none: bits of all regions of real proofs are flipped, points are swapped and
 * evaluations changed, and nothing of it may hold. DAMAGE_EXHAUSTIVE_PROOFS=1 flips every bit; TEST_SEED draws others.
 */

const SEED = seedOf('damaged proofs');
/** Where the parts of a block signature begin. @see contracts/streams.md section 18.5 */
const REGIONS = [
  ['n', 0],
  ['total weight', 8],
  ['g0', 40],
  ['h0, h1', 136],
  ['last Lagrange', 520],
  ['weight commitment', 616],
  ['SK, Z', 712],
  ['aPK', 1096],
  ['claimed weight', 1192],
  ['sigma', 1224],
  ['commitments', 1416],
  ['openings', 2280],
  ['evaluations', 2472],
  ['seats', 2728],
  ['s, e', 2856],
] as const;
const SIGNATURE_BYTES = 2920;
const FLIPS_A_REGION = 4;
const FIRST_POINT = 1416;
const POINTS = 11;

if (FLIPS_ALL) vi.setConfig({ testTimeout: 7_200_000 });

const caches = new ProofCaches();
const tally = new Map<string, { tried: number; failures: Map<string, number> }>();

/** The failure that a changed question ends with; keeps count of it. */
function failureOf(region: string, question: ProofQuestion): string {
  const verdict = checkBlockProof(question, { caches, randomBytes });
  const word = verdict.kind === 'false' ? verdict.failure : verdict.kind;
  const counted = tally.get(region) ?? { tried: 0, failures: new Map() };
  tally.set(region, counted);
  counted.tried += 1;
  counted.failures.set(word, (counted.failures.get(word) ?? 0) + 1);
  return word;
}

const REFUSED = /^(?!holds|uncheckable)/;

afterAll(() => {
  if (!FLIPS_ALL) return;
  for (const [region, { failures, tried }] of tally) {
    console.log(
      `${region.padEnd(24)} ${String(tried).padStart(6)}  ${JSON.stringify(Object.fromEntries(failures))}`,
    );
  }
});

describeShared.each(REAL_BLOCKS)('the proof of %s block %i', (set, number) => {
  const question = realQuestion(set, number);

  test('does not hold for a root with another bit', () => {
    for (const { at, bytes: root } of flippedBits(
      question.root,
      FLIPS_A_REGION,
      `${SEED} root ${set} ${number}`,
    )) {
      expect(failureOf('root', { ...question, root }), at).toMatch(/^(bls|state_proof_leaf)$/);
    }
  });

  test('does not hold with another bit in the message around the signature', () => {
    const samples = 3 * FLIPS_A_REGION;
    const around = question.proof.length - SIGNATURE_BYTES;
    for (const { at, bytes } of flippedBits(
      question.proof.subarray(0, around),
      samples,
      `${SEED} ${set} ${number}`,
    )) {
      const proof = Buffer.concat([bytes, question.proof.subarray(around)]);
      expect(failureOf('message', { ...question, proof }), at).toMatch(REFUSED);
    }
  });
});

describeShared('the signature of a block', () => {
  const question = realQuestion('blocks-0.78', 0);
  const signature = () => Uint8Array.from(blockSignatureOf(question));
  const withSignature = (bytes: Uint8Array) => ({
    ...question,
    proof: writtenMessage([2, writtenMessage([1, bytes])]),
  });

  test.each(
    REGIONS.map(([name, start], index) => [name, start, REGIONS[index + 1]?.[1] ?? SIGNATURE_BYTES] as const),
  )('does not hold with another bit in %s', (name, start, end) => {
    const bytes = signature();
    for (const flipped of flippedBits(bytes.subarray(start, end), FLIPS_A_REGION, `${SEED} ${name}`)) {
      const changed = Uint8Array.from(bytes);
      changed.set(flipped.bytes, start);
      expect(failureOf(name, withSignature(changed)), flipped.at).toMatch(REFUSED);
    }
  });

  test('does not hold with two points swapped', () => {
    const failures = new Set<string>();
    for (let first = 0; first < POINTS; first++) {
      for (let second = first + 1; second < POINTS; second++) {
        const bytes = signature();
        const [one, other] = [first, second].map((index) => pointAt(bytes, index)) as [
          Uint8Array,
          Uint8Array,
        ];
        if (Buffer.compare(one, other) === 0) continue;
        const changed = Uint8Array.from(bytes);
        changed.set(one, FIRST_POINT + second * 96);
        changed.set(other, FIRST_POINT + first * 96);
        failures.add(failureOf('swapped points', withSignature(changed)));
      }
    }
    expect([...failures].sort()).toEqual(['open_r', 'sum_identity']);
  });

  test.each([
    ['PS(r)', 0, 'sum_identity'],
    ['PS(r/ω)', 1, 'sum_identity'],
    ['W(r)', 2, 'sum_identity'],
    ['B(r)', 3, 'sum_identity'],
    ['Q1(r)', 4, 'sum_identity'],
    ['Q3(r)', 5, 'last_identity'],
    ['Q2(r)', 6, 'bit_identity'],
    ['Q4(r)', 7, 'end_identity'],
  ])('does not hold with another %s', (_, index, failure) => {
    const changed = signature();
    const at = 2472 + index * 32;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(failureOf('changed evaluation', withSignature(changed))).toBe(failure);
  });

  test('does not hold with another point of the group in a place that no number depends on', () => {
    const names = [9, 10].map((index) => {
      const changed = signature();
      changed.set(G1.fromBytes(pointAt(changed, index)).double().toBytes(false), FIRST_POINT + index * 96);
      return failureOf('another opening', withSignature(changed));
    });
    expect(names).toEqual(['open_r', 'open_r_omega']);
  });

  test.each([
    ['aPK', 1096, 96],
    ['sigma', 1224, 192],
    ['B', FIRST_POINT, 96],
  ])('does not hold with the identity as %s', (_, start, length) => {
    const changed = signature();
    changed.fill(0, start, start + length);
    changed[start] = 0x40;
    expect(failureOf('identity', withSignature(changed))).toMatch(
      start === FIRST_POINT ? /^sum_/ : /^encoding$/,
    );
  });

  test.each([
    ['a scalar that is not reduced', 2472],
    ['a weight that is not reduced', 1192],
  ])('does not hold with %s', (_, start) => {
    const changed = signature();
    changed.fill(0xff, start, start + 32);
    expect(failureOf('not reduced', withSignature(changed))).toBe('encoding');
  });

  test('does not hold with a point of the curve outside the group', () => {
    const changed = signature();
    changed.set(outsideTheGroup(), FIRST_POINT);
    expect(failureOf('outside the group', withSignature(changed))).toBe('encoding');
  });
});

function pointAt(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.slice(FIRST_POINT + index * 96, FIRST_POINT + (index + 1) * 96);
}

/** y² = x³ + 4 holds, but the order is not that of the group. */
function outsideTheGroup(): Uint8Array {
  for (let x = 1n; ; x++) {
    try {
      const { Fp } = G1;
      const y = Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n));
      return Buffer.concat([x, y].map((each) => Buffer.from(each.toString(16).padStart(96, '0'), 'hex')));
    } catch {
      // Not a square: no point has this x.
    }
  }
}
