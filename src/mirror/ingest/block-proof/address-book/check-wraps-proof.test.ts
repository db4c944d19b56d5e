import { bn254 } from '@noble/curves/bn254.js';
import { expect, test, vi } from 'vitest';
import { FLIPS_ALL, flippedBits } from '../../../../../test/kit/mirror/ingest/block-proof/flipped-bits.ts';
import { libraryWrapsProof } from '../../../../../test/kit/mirror/ingest/block-proof/library-vectors.ts';
import { realProof } from '../../../../../test/kit/mirror/ingest/block-proof/real-proofs.ts';
import { seedOf } from '../../../../../test/support/seed.ts';
import { describeShared } from '../../../../../test/support/shared-suites.ts';
import { checkResult } from '../failed-check.ts';
import type { ProofFailure } from '../proof-verdict.ts';
import { SCALAR_ORDER } from './bn254-points.ts';
import { demandWrapsProof, type WrapsQuestion } from './check-wraps-proof.ts';
import { toBytes32 } from './little-endian.ts';

/** What failed; null when it holds. */
function checkWrapsProof(question: WrapsQuestion): ProofFailure | null {
  return checkResult(() => demandWrapsProof(question))?.failure ?? null;
}

if (FLIPS_ALL) vi.setConfig({ testTimeout: 7_200_000 });
const SEED = seedOf('wraps proofs');
const SAMPLES = 6;

/** Where the members of a proof begin and end. */
const REGIONS = {
  steps: [0, 32],
  first: [32, 104],
  current: [104, 176],
  running: [176, 248],
  incoming: [248, 320],
  groth16: [320, 448],
  openings: [448, 576],
  crossTerm: [576, 608],
  fold: [608, 640],
  challenges: [640, 704],
} as const;

/** Members of the WRAPS key; the blinded generator at 1,608 to 1,640 takes no part in the check. */
const KEY_REGIONS = {
  parameters: [0, 32],
  alpha: [32, 64],
  twisted: [64, 256],
  inputs: [256, 1576],
  generator: [1576, 1608],
  openings: [1640, 1768],
} as const;

function question(): WrapsQuestion & { readonly wrapsKey: Uint8Array } {
  const { wrapsKey } = realProof('blocks-0.78');
  return { ...libraryWrapsProof, wrapsKey: wrapsKey!, generation: 1 };
}

function changed(bytes: Uint8Array, at: number, replaced: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(replaced, at);
  return copy;
}

/** x with its flags, lowest byte first. */
function compressed(point: typeof bn254.G1.Point.BASE): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = toBytes32(x);
  if (y > bn254.fields.Fp.neg(y)) bytes[31] = bytes[31]! | 0x80;
  return bytes;
}

describeShared('checkWrapsProof', () => {
  test('accepts the vector of the library', () => {
    expect(checkWrapsProof(question())).toBeNull();
  });

  test('refuses another threshold key, also one of another generation', () => {
    const asked = question();
    expect(checkWrapsProof({ ...asked, generation: 2 })).toBe('vk_hash');
    for (const { bytes } of flippedBits(asked.verificationKey, SAMPLES, SEED)) {
      expect(checkWrapsProof({ ...asked, verificationKey: bytes })).toBe('vk_hash');
    }
  });

  test('refuses another ledger', () => {
    const asked = question();
    expect(checkWrapsProof({ ...asked, ledgerId: realProof('blocks-0.78').ledgerId })).toBe('ledger_id');
    for (const { bytes } of flippedBits(asked.ledgerId, SAMPLES, SEED)) {
      expect(checkWrapsProof({ ...asked, ledgerId: bytes })).toBe('ledger_id');
    }
  });

  test.each(Object.entries(REGIONS))('refuses every change of %s', (region, [from, to]) => {
    const asked = question();
    const accepted: string[] = [];
    for (const { at, bytes } of flippedBits(asked.proof.subarray(from, to), SAMPLES, SEED + region)) {
      if (checkWrapsProof({ ...asked, proof: changed(asked.proof, from, bytes) }) === null) accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  test.each(Object.entries(KEY_REGIONS))(
    'refuses to check with changed %s of the WRAPS key',
    (region, [from, to]) => {
      const asked = question();
      const accepted: string[] = [];
      for (const { at, bytes } of flippedBits(asked.wrapsKey.subarray(from, to), SAMPLES, SEED + region)) {
        if (checkWrapsProof({ ...asked, wrapsKey: changed(asked.wrapsKey, from, bytes) }) === null)
          accepted.push(at);
      }
      expect(accepted).toEqual([]);
    },
  );

  test('refuses the key of another network', () => {
    const { wrapsKey } = realProof('blocks-0.73');
    expect(checkWrapsProof({ ...question(), wrapsKey: wrapsKey! })).toBe('groth16');
  });

  test('names what failed', () => {
    const asked = question();
    const point = compressed(bn254.G1.Point.BASE.multiply(77n));
    const failureWith = (at: number, replaced: Uint8Array) =>
      checkWrapsProof({ ...asked, proof: changed(asked.proof, at, replaced) });
    expect(failureWith(0, toBytes32(1n))).toBe('steps');
    expect(failureWith(288, point)).toBe('steps');
    expect(failureWith(0, toBytes32(3n))).toBe('groth16');
    expect(failureWith(320, point)).toBe('groth16');
    // The proofs of the openings are not inputs of the circuit.
    expect(failureWith(480, point)).toBe('kzg');
    expect(failureWith(544, point)).toBe('kzg');
    expect(failureWith(640, toBytes32(5n))).toBe('groth16');
  });

  test('refuses second forms of numbers and points, other lengths and lists of other lengths', () => {
    const asked = question();
    const infinity = new Uint8Array(32);
    const failureWith = (at: number, replaced: Uint8Array) =>
      checkWrapsProof({ ...asked, proof: changed(asked.proof, at, replaced) });
    expect(failureWith(0, toBytes32(2n + SCALAR_ORDER))).toBe('encoding');
    infinity[31] = 0xc0;
    expect(failureWith(224, infinity)).toBe('encoding');
    infinity.set([1], 0);
    infinity[31] = 0x40;
    expect(failureWith(224, infinity)).toBe('encoding');
    expect(failureWith(320, toBytes32(bn254.fields.Fp.ORDER + 1n))).toBe('encoding');
    expect(failureWith(32, Uint8Array.of(1))).toBe('encoding');
    expect(checkWrapsProof({ ...asked, proof: asked.proof.subarray(1) })).toBe('encoding');
    expect(checkWrapsProof({ ...asked, proof: new Uint8Array([...asked.proof, 0]) })).toBe('encoding');
    expect(checkWrapsProof({ ...asked, wrapsKey: asked.wrapsKey.subarray(0, 1767) })).toBe('encoding');
  });

  test('refuses a point of the twist that is outside the group', () => {
    const { Fp2 } = bn254.fields;
    const asked = question();
    const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
    const isOutside = (x: bigint): boolean => {
      const value = Fp2.fromBigTuple([x, 0n]);
      try {
        const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(value), value), b));
        return !bn254.G2.Point.fromAffine({ x: value, y }).isTorsionFree();
      } catch {
        return false;
      }
    };
    const x = Array.from({ length: 50 }, (_, at) => BigInt(at + 1)).find(isOutside)!;
    const proof = changed(asked.proof, 352, Buffer.concat([toBytes32(x), toBytes32(0n)]));
    expect(checkWrapsProof({ ...asked, proof })).toBe('encoding');
  });
});
