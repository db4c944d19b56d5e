import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  HintsNetwork,
  type HintsOrder,
} from '../../../../../test/kit/mirror/ingest/block-proof/hints-network.ts';
import { FailedCheck } from '../failed-check.ts';
import { checkHints } from './check-hints.ts';
import { parseHintsKey } from './hints-key.ts';
import { parseHintsSignature } from './hints-signature.ts';

const root = new Uint8Array(48).fill(7);
const network = new HintsNetwork([1n, 1n, 2n, 4n, 0n]);
const key = parseHintsKey(network.keyBytes);

function verdictOn(
  order: Partial<HintsOrder>,
  checked: { generation?: 1 | 2; root?: Uint8Array } = {},
): string {
  const { generation = 2 } = order;
  const signature = parseHintsSignature(network.sign({ root, seats: [0, 3], generation, ...order }));
  try {
    checkHints(key, signature, checked.root ?? root, checked.generation ?? generation, randomBytes);
    return 'holds';
  } catch (error) {
    if (error instanceof FailedCheck) return error.failure;
    throw error;
  }
}

describe('a threshold signature', () => {
  test.each([[1], [2]] as const)('holds by the rules of its generation alone: %i', (generation) => {
    expect(verdictOn({ generation })).toBe('holds');
    expect(verdictOn({ generation }, { generation: generation === 1 ? 2 : 1 })).toBe('sum_identity');
    expect(verdictOn({ generation }, { root: new Uint8Array(48) })).toBe('bls');
  });

  test.each([
    ['all seats', [0, 1, 2, 3, 4], 'holds'],
    ['one more than half', [0, 3], 'holds'],
    ['half exactly', [3], 'threshold'],
    ['less than half', [0, 1], 'threshold'],
  ])('of %s', (_, seats, verdict) => {
    expect(verdictOn({ seats })).toBe(verdict);
  });

  test.each([
    ['more weight than the signers have', 6n, 'last_identity'],
    ['more weight than there is', 9n, 'threshold'],
    ['nearly the order of the group', key.omega, 'threshold'],
  ])('that claims %s', (_, claimedWeight, verdict) => {
    expect(verdictOn({ claimedWeight })).toBe(verdict);
  });

  test('that commits to another quotient of the keys, or to one of too high a degree', () => {
    expect(verdictOn({ alter: (each) => ({ ...each, qz: each.qz.double() }) })).toBe('key_identity');
    expect(verdictOn({ alter: (each) => ({ ...each, qxTau: each.qxTau.double() }) })).toBe('degree');
  });
});
