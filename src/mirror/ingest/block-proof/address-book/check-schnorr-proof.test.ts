import { describe, expect, test, vi } from 'vitest';
import { FLIPS_ALL, flippedBits } from '../../../../../test/kit/mirror/ingest/block-proof/flipped-bits.ts';
import {
  aRosterEntry,
  aSchnorrProof,
} from '../../../../../test/kit/mirror/ingest/block-proof/made-rosters.ts';
import { realProof } from '../../../../../test/kit/mirror/ingest/block-proof/real-proofs.ts';
import { seedOf } from '../../../../../test/support/seed.ts';
import { describeShared } from '../../../../../test/support/shared-suites.ts';
import { checkResult } from '../failed-check.ts';
import type { ProofFailure } from '../proof-verdict.ts';
import {
  affineBytes,
  demandSchnorrProof,
  GROUP_ORDER,
  ledgerIdOf,
  RosterPoint,
  type SchnorrQuestion,
} from './check-schnorr-proof.ts';
import { toBytes32 } from './little-endian.ts';
import { FIELD_ORDER } from './verification-key-hash.ts';

/** What failed; null when it holds. */
function checkSchnorrProof(question: SchnorrQuestion): ProofFailure | null {
  return checkResult(() => demandSchnorrProof(question))?.failure ?? null;
}

if (FLIPS_ALL) vi.setConfig({ testTimeout: 7_200_000 });
const SEED = seedOf('schnorr proofs');
const SAMPLES = 12;
const DOMAIN = { 1: '', 2: 'HieroTSSWrapsSchnorrKeyPoK' } as const;
const SECRETS = [11n, 2222n, 333_333n];

function questionOf(set: 'blocks-0.73' | 'blocks-0.78'): SchnorrQuestion {
  const { addressBookProof, ledgerId, roster, verificationKey } = realProof(set);
  return { proof: addressBookProof, verificationKey, ledgerId, roster, generation: 1 };
}

function made(weights: readonly bigint[], seats: readonly number[], generation: 1 | 2 = 2): SchnorrQuestion {
  const roster = weights.map((weight, at) =>
    aRosterEntry(BigInt(at), weight, SECRETS[at]!, DOMAIN[generation]),
  );
  const secrets = new Map(seats.map((seat) => [seat, SECRETS[seat]!]));
  const verificationKey = Uint8Array.from({ length: 1096 }, (_, at) => at % 251);
  const proof = aSchnorrProof({ roster, secrets, verificationKey, generation });
  return { proof, verificationKey, ledgerId: ledgerIdOf(roster), roster, generation };
}

function withBytes(bytes: Uint8Array, at: number, replaced: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed.set(replaced, at);
  return changed;
}

describeShared.each(['blocks-0.73', 'blocks-0.78'] as const)('%s', (set) => {
  test('holds by the rules of its own generation alone', () => {
    const question = questionOf(set);
    expect(checkSchnorrProof(question)).toBeNull();
    expect(checkSchnorrProof({ ...question, generation: 2 })).toBe('possession');
  });

  test('is refused with any bit of the proof changed, seats that no node has included', () => {
    const question = questionOf(set);
    const accepted: string[] = [];
    const regions = { seats: [0, 4], vacant: [4, 128], s: [128, 160], e: [160, 192] } as const;
    for (const [region, [from, to]] of Object.entries(regions)) {
      for (const { at, bytes } of flippedBits(question.proof.subarray(from, to), SAMPLES, SEED + region)) {
        const proof = withBytes(question.proof, from, bytes);
        if (checkSchnorrProof({ ...question, proof }) === null) accepted.push(`${region} ${at}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  test('is refused with any bit of the threshold key or the ledger id changed', () => {
    const question = questionOf(set);
    const failures = new Set<string | null>();
    for (const { bytes } of flippedBits(question.verificationKey, SAMPLES, SEED)) {
      failures.add(checkSchnorrProof({ ...question, verificationKey: bytes }));
    }
    expect([...failures]).toEqual(['schnorr']);
    for (const { bytes } of flippedBits(question.ledgerId, SAMPLES, SEED)) {
      expect(checkSchnorrProof({ ...question, ledgerId: bytes })).toBe('ledger_id');
    }
  });

  test('is refused with any bit of a key in the roster changed, also of a node that did not sign', () => {
    const question = questionOf(set);
    const accepted: string[] = [];
    for (const [seat, entry] of question.roster.entries()) {
      for (const { at, bytes } of flippedBits(entry.key, SAMPLES, `${SEED}${seat}`)) {
        const roster = question.roster.with(seat, { ...entry, key: bytes });
        if (checkSchnorrProof({ ...question, roster }) === null) accepted.push(`node ${seat} ${at}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  test('is not a proof of another network', () => {
    const other = questionOf(set === 'blocks-0.73' ? 'blocks-0.78' : 'blocks-0.73');
    const { proof } = questionOf(set);
    expect(checkSchnorrProof({ ...other, proof })).not.toBeNull();
  });
});

describe('checkSchnorrProof', () => {
  test.each([1, 2] as const)(
    'accepts what more than half of the weight signed, generation %d',
    (generation) => {
      const question = made([1n, 1n, 1n], [0, 2], generation);
      expect(checkSchnorrProof(question)).toBeNull();
      expect(checkSchnorrProof({ ...question, generation: generation === 1 ? 2 : 1 })).toBe('possession');
    },
  );

  test('refuses exactly half of the weight, and nobody', () => {
    expect(checkSchnorrProof(made([1n, 1n, 2n], [0, 1]))).toBe('weight');
    expect(checkSchnorrProof(made([1n, 1n, 2n], [0, 2]))).toBeNull();
    const { proof, ...question } = made([1n, 1n, 1n], [0, 2]);
    expect(checkSchnorrProof({ ...question, proof: withBytes(proof, 0, new Uint8Array(3)) })).toBe('weight');
  });

  test('refuses seats of others than the nodes, and other numbers than 1', () => {
    const { proof, ...question } = made([1n, 1n, 1n], [0, 2]);
    for (const [seat, value] of [
      [3, 1],
      [127, 1],
      [0, 2],
    ] as const) {
      expect(checkSchnorrProof({ ...question, proof: withBytes(proof, seat, Uint8Array.of(value)) })).toBe(
        'seats',
      );
    }
  });

  test('refuses a signature of others than the seats tell', () => {
    const { proof, ...question } = made([1n, 1n, 1n], [0, 2]);
    const claimed = withBytes(proof, 0, Uint8Array.of(1, 1, 0));
    expect(checkSchnorrProof({ ...question, proof: claimed })).toBe('schnorr');
  });

  test('refuses numbers that are not below the order, and any other length', () => {
    const { proof, ...question } = made([1n, 1n, 1n], [0, 2]);
    const s = BigInt(`0x${Buffer.from(proof.subarray(128, 160)).reverse().toString('hex')}`);
    const sameAgain = withBytes(proof, 128, toBytes32(s + GROUP_ORDER));
    expect(checkSchnorrProof({ ...question, proof: sameAgain })).toBe('encoding');
    expect(checkSchnorrProof({ ...question, proof: proof.subarray(0, 191) })).toBe('encoding');
    expect(checkSchnorrProof({ ...question, proof: new Uint8Array([...proof, 0]) })).toBe('encoding');
  });

  test('refuses a key that cancels out the others, since nobody proves that it is theirs', () => {
    const honest = aRosterEntry(0n, 1n, SECRETS[0]!, DOMAIN[2]);
    const attacker = 987_654_321n;
    const rogue = RosterPoint.BASE.multiply(attacker).subtract(RosterPoint.BASE.multiply(SECRETS[0]!));
    const own = aRosterEntry(1n, 1n, attacker, DOMAIN[2]);
    const roster = [honest, { ...own, key: withBytes(own.key, 0, affineBytes(rogue)) }];
    // The sum of both keys is the attacker's: he alone signs for both.
    const secrets = new Map([
      [0, attacker],
      [1, 0n],
    ]);
    const verificationKey = new Uint8Array(1096);
    const proof = aSchnorrProof({ roster, secrets, verificationKey, generation: 2 });
    const question = { proof, verificationKey, ledgerId: ledgerIdOf(roster), roster, generation: 2 } as const;
    expect(checkSchnorrProof(question)).toBe('possession');
  });

  test('refuses the key of vacant seats, which has no proof', () => {
    const { roster, ...question } = made([1n, 1n, 1n], [0, 2]);
    const vacant = affineBytes(
      RosterPoint.fromAffine({
        x: 12242143994000228932794072931472805933014698661472621875120544547182037447307n,
        y: 18632581597336484007639911068407412014942769995951822776505801470647807372989n,
      }),
    );
    const changed = roster.with(1, { ...roster[1]!, key: withBytes(roster[1]!.key, 0, vacant) });
    const asked = { ...question, ledgerId: ledgerIdOf(changed), roster: changed };
    expect(checkSchnorrProof(asked)).toBe('possession');
  });

  test('refuses points outside the group, the identity, and a second form of a coordinate', () => {
    const { roster, ...question } = made([1n, 1n, 1n], [0, 2]);
    const key = RosterPoint.BASE.multiply(SECRETS[1]!);
    const smallOrder = RosterPoint.fromAffine({ x: 0n, y: FIELD_ORDER - 1n });
    const { x, y } = key.toAffine();
    const outside = [
      affineBytes(key.add(smallOrder)),
      affineBytes(smallOrder),
      affineBytes(RosterPoint.ZERO),
      Buffer.concat([toBytes32(x + FIELD_ORDER), toBytes32(y)]),
      Buffer.concat([toBytes32(y), toBytes32(x)]),
    ];
    for (const point of outside) {
      for (const at of [0, 64]) {
        const changed = roster.with(1, { ...roster[1]!, key: withBytes(roster[1]!.key, at, point) });
        expect(checkSchnorrProof({ ...question, roster: changed })).toBe('encoding');
      }
    }
  });

  test('refuses a roster without nodes or with more than there are seats', () => {
    const { roster, ...question } = made([1n, 1n, 1n], [0, 2]);
    const crowd = Array.from({ length: 129 }, () => ({ ...roster[0]!, weight: 0n }))
      .with(0, roster[0]!)
      .with(2, roster[2]!);
    expect(checkSchnorrProof({ ...question, roster: crowd })).toBe('seats');
    expect(
      checkSchnorrProof({
        ...question,
        roster: [],
        proof: withBytes(question.proof, 0, new Uint8Array(128)),
      }),
    ).toBe('weight');
  });
});
