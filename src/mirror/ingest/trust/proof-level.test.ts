import { describe, expect, test } from 'vitest';
import type { ProofVerdict } from '../block-proof/proof-verdict.ts';
import { proofLevel } from './prove-block.ts';

const holds = (generation: 1 | 2, keyBy: 'ledger-id' | 'chain' = 'ledger-id'): ProofVerdict => ({
  kind: 'holds',
  generation,
  keyBy,
  verificationKey: new Uint8Array(),
  signedRoot: new Uint8Array(),
});
const uncheckable = (code: 'unsupported_proof' | 'missing_ledger_id', isNewer = true): ProofVerdict => ({
  kind: 'uncheckable',
  code,
  reason: 'why',
  isNewer,
});
const PINNED = { isPinned: true, allowsGeneration1: false };
const PINNED_1 = { isPinned: true, allowsGeneration1: true };
const CLAIMED = { isPinned: false, allowsGeneration1: true };

describe('proofLevel', () => {
  test.each([
    [holds(2), PINNED, 'signatures', 'generation 2'],
    [holds(2, 'chain'), PINNED, 'signatures', 'generation 2, key by chain'],
    [holds(1), PINNED_1, 'signatures', 'generation 1'],
    [holds(1), PINNED, 'chain', 'generation 1, not allowed (MIRROR_PROOF_GENERATION=1)'],
    [holds(2), CLAIMED, 'chain', 'generation 2, ledger id not pinned (MIRROR_LEDGER_ID)'],
    [holds(1), CLAIMED, 'chain', 'generation 1, ledger id not pinned (MIRROR_LEDGER_ID)'],
    [uncheckable('unsupported_proof'), PINNED_1, 'chain', 'why'],
    [uncheckable('missing_ledger_id'), PINNED_1, 'chain', 'why'],
    [uncheckable('unsupported_proof', false), CLAIMED, 'chain', 'why'],
  ] as const)('%j with %j is %s: %s', (verdict, trust, level, note) => {
    const isUncheckable = trust.isPinned && verdict.kind === 'uncheckable';
    expect(proofLevel(verdict, trust, 'signatures', 'block 1')).toEqual({ level, note, isUncheckable });
  });

  test.each([
    [holds(1), PINNED, 'unsupported_proof'],
    [holds(2), CLAIMED, 'missing_ledger_id'],
    [uncheckable('unsupported_proof'), PINNED, 'unsupported_proof'],
    [uncheckable('missing_ledger_id'), PINNED, 'missing_ledger_id'],
  ] as const)('%j with %j is refused in mode strict: %s', (verdict, trust, code) => {
    expect(() => proofLevel(verdict, trust, 'strict', 'block 1')).toThrow(expect.objectContaining({ code }));
  });

  test.each(['signatures', 'strict'] as const)(
    'what proves nothing and is not newer is refused in mode %s where the ledger id is pinned',
    (mode) => {
      expect(() => proofLevel(uncheckable('unsupported_proof', false), PINNED, mode, 'block 1')).toThrow(
        expect.objectContaining({
          code: 'bad_block_proof',
          message: 'The proof of block 1 is invalid (encoding): why',
        }),
      );
    },
  );

  test('what is proven by signatures passes in mode strict', () => {
    expect(proofLevel(holds(2), PINNED, 'strict', 'block 1').level).toBe('signatures');
    expect(proofLevel(holds(1), PINNED_1, 'strict', 'block 1').level).toBe('signatures');
  });

  test.each(['signatures', 'strict'] as const)(
    'a false proof refuses the block in mode %s, named',
    (mode) => {
      const verdict: ProofVerdict = { kind: 'false', failure: 'bls', reason: 'nobody signed it' };
      const refusal = {
        code: 'bad_block_proof',
        message: 'The proof of block 1 is invalid (bls): nobody signed it',
      };
      expect(() => proofLevel(verdict, CLAIMED, mode, 'block 1')).toThrow(expect.objectContaining(refusal));
    },
  );
});
