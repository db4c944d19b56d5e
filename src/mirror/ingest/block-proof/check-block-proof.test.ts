import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { libraryWrapsProof } from '../../../../test/kit/mirror/ingest/block-proof/library-vectors.ts';
import { blockSignatureOf, realBlock } from '../../../../test/kit/mirror/ingest/block-proof/real-blocks.ts';
import { realProof } from '../../../../test/kit/mirror/ingest/block-proof/real-proofs.ts';
import { REAL_BLOCKS, realQuestion } from '../../../../test/kit/mirror/ingest/block-proof/real-questions.ts';
import { SignedNetwork } from '../../../../test/kit/mirror/ingest/block-proof/signed-network.ts';
import { writtenMessage } from '../../../../test/kit/mirror/ingest/block-proof/written-message.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../values/hex.ts';
import { checkBlockProof } from './check-block-proof.ts';
import { HINTS_KEY_BYTES } from './hints/hints-lengths.ts';
import { ProofCaches } from './proof-caches.ts';
import type { ProofQuestion, ProofTrust } from './proof-verdict.ts';
import { isCheckable, readMerklePath, signedRootOf } from './read-block-proof.ts';

const root = new Uint8Array(48).fill(9);
const network = new SignedNetwork([1n, 1n, 2n], 2);

function check(question: Partial<ProofQuestion>, trust: Partial<ProofTrust> = {}) {
  return checkBlockProof(
    {
      root,
      blockNumber: 5n,
      proof: new Uint8Array(),
      ...question,
      trust: { ...(question.trust ?? network.trust), ...trust },
    },
    { caches: new ProofCaches(), randomBytes },
  );
}

/** What is told of a verdict in one word or two. */
function told(verdict: ReturnType<typeof check>): string {
  if (verdict.kind === 'holds') return `holds ${verdict.generation} by ${verdict.keyBy}`;
  return verdict.kind === 'false' ? verdict.failure : verdict.code;
}

describeShared('the proofs of real blocks', () => {
  test.each(REAL_BLOCKS)('hold by the rules of generation 1: %s block %i', (set, number) => {
    const question = realQuestion(set, number);
    const verdict = check(question);
    expect(told(verdict)).toBe('holds 1 by ledger-id');
    if (verdict.kind !== 'holds') return;
    expect(bareHex(verdict.verificationKey)).toBe(bareHex(realProof(set).verificationKey));
    // Blocks 1 and 2 of 0.78 were proven by the signature of block 4 or so, which is the same for both.
    const isIndirect = set === 'blocks-0.78' && number > 0;
    expect(bareHex(verdict.signedRoot) === bareHex(question.root)).toBe(!isIndirect);
    expect(told(check(question, { leastGeneration: 2 }))).toBe('possession');
  });

  test('lead to one later root from two blocks, which is checked once', () => {
    const caches = new ProofCaches();
    const asked: number[] = [];
    const counted = (length: number) => {
      asked.push(length);
      return randomBytes(length);
    };
    const roots = [1, 2].map((number) => {
      const verdict = checkBlockProof(realQuestion('blocks-0.78', number), { caches, randomBytes: counted });
      return verdict.kind === 'holds' ? bareHex(verdict.signedRoot) : verdict;
    });
    expect(roots[0]).toBe(roots[1]);
    expect(asked).toEqual([16, 16, 16, 16]);
  });

  test('name the part of the trust that fails or is missing', () => {
    const question = realQuestion('blocks-0.73', 1);
    const { roster, verificationKey } = realProof('blocks-0.73');
    const other = realProof('blocks-0.78');
    expect(told(check(question, { ledgerId: other.ledgerId }))).toBe('ledger_id');
    expect(told(check(question, { roster: other.roster, ledgerId: other.ledgerId }))).toBe('weight');
    expect(told(check(question, { roster: roster.toReversed() }))).toBe('ledger_id');
    expect(told(check(question, { ledgerId: null }))).toBe('missing_ledger_id');
    expect(told(check(question, { roster: null }))).toBe('missing_ledger_id');
    const knownKeys = [other.verificationKey, verificationKey];
    expect(told(check(question, { roster: null, knownKeys }))).toBe('holds 1 by chain');
    expect(told(check({ ...question, root }, { roster: null, knownKeys }))).toBe('bls');
    // A known key does not excuse an address book that can be checked and is false.
    expect(told(check(question, { ledgerId: other.ledgerId, knownKeys }))).toBe('ledger_id');
  });

  test('of the WRAPS form are checked with the published key', () => {
    const { wrapsKey } = realProof('blocks-0.78');
    const { proof, ledgerId, verificationKey } = libraryWrapsProof;
    const threshold = blockSignatureOf(realBlock('blocks-0.73', 0)).subarray(1096, 2728);
    const signature = Buffer.concat([verificationKey, threshold, proof]);
    const asked = { proof: writtenMessage([1, 5n], [2, writtenMessage([1, signature])]) };
    const trust = { ledgerId, wrapsKey, roster: null, leastGeneration: 1 as const };
    // The key is vouched for, but this signature was made with another one: 2 of 3 are less than half of its weight.
    expect(told(check(asked, trust))).toBe('threshold');
    expect(told(check(asked, { ...trust, wrapsKey: null }))).toBe('missing_ledger_id');
    expect(told(check(asked, { ...trust, ledgerId: root.subarray(0, 32) }))).toBe('ledger_id');
    expect(told(check(asked, { ...trust, leastGeneration: 2 }))).toBe('vk_hash');
  });
});

describe('checkBlockProof', () => {
  const direct = network.directProof(5n, { root, seats: [0, 2] });
  const signature = network.signature({ root, seats: [0, 2] });
  const signed = (bytes: Uint8Array) => writtenMessage([1, bytes]);

  test('takes the newest generation whose rules hold, and none below the least', () => {
    expect(told(check({ proof: direct }))).toBe('holds 2 by ledger-id');
    expect(told(check({ proof: direct }, { leastGeneration: 1 }))).toBe('holds 2 by ledger-id');
    const older = new SignedNetwork([1n, 1n, 2n], 1);
    const proof = older.directProof(5n, { root, seats: [0, 2] });
    expect(told(check({ proof, trust: older.trust }))).toBe('holds 1 by ledger-id');
    expect(told(check({ proof, trust: older.trust }, { leastGeneration: 2 }))).toBe('possession');
  });

  test.each([
    ['half of the weight exactly', { seats: [2] }, 'threshold'],
    ['more than the signers have', { seats: [2], claimedWeight: 3n }, 'last_identity'],
    ['more than there is', { seats: [0, 1, 2], claimedWeight: 5n }, 'threshold'],
  ])('refuses a claim of %s', (_, order, failure) => {
    expect(told(check({ proof: network.directProof(5n, { root, ...order }) }))).toBe(failure);
  });

  test('takes a state proof that leads from the root of the block to the signed one', () => {
    const own = new Uint8Array(48).fill(1);
    const sibling = writtenMessage([2, new Uint8Array(48).fill(4)]);
    const paths = [
      writtenMessage([2, 2n], [6, Uint8Array.of(8, 1)]),
      writtenMessage([1, sibling], [2, 2n], [3, own]),
      writtenMessage([2, 2n ** 32n - 1n]),
    ];
    const later = signedRootOf(paths.map(readMerklePath), own);
    const proofOf = (signedRoot: Uint8Array, given: readonly Uint8Array[]) => {
      const bySignature = signed(network.signature({ root: signedRoot, seats: [0, 2] }));
      const state = writtenMessage(...given.map((path) => [1, path] as const), [2, bySignature]);
      return writtenMessage([1, 5n], [3, state]);
    };
    const verdict = check({ root: own, proof: proofOf(later, paths) });
    expect(verdict).toMatchObject({ kind: 'holds', generation: 2, signedRoot: later });
    expect(told(check({ root: own, proof: proofOf(own, paths) }))).toBe('bls');
    expect(told(check({ root, proof: proofOf(later, paths) }))).toBe('state_proof_leaf');
    expect(told(check({ root: own, proof: proofOf(later, paths.slice(1)) }))).toBe('state_proof_shape');
  });

  test.each([
    ['of another block', network.directProof(6n, { root, seats: [0, 2] }), 'encoding'],
    ['that is empty', new Uint8Array(), 'encoding'],
    ['of two kinds', writtenMessage([1, 5n], [2, signed(signature)], [3, root]), 'encoding'],
    [
      'that occurs twice',
      writtenMessage([1, 5n], [2, signed(signature)], [2, signed(signature)]),
      'encoding',
    ],
    ['with a member beside', writtenMessage([1, 5n], [2, signed(signature)], [9, root]), 'encoding'],
    ['without a signature', writtenMessage([1, 5n], [2, new Uint8Array()]), 'encoding'],
    ['of a record file', writtenMessage([1, 5n], [4, root]), 'unsupported_proof'],
    ['of a development network', writtenMessage([1, 5n], [2, signed(root)]), 'unsupported_proof'],
    ['of generation 3', writtenMessage([1, 5n], [2, signed(new Uint8Array(13_712))]), 'unsupported_proof'],
    ['of another length', writtenMessage([1, 5n], [2, signed(signature.subarray(1))]), 'unsupported_proof'],
  ])('tells a proof %s', (_, proof, failure) => {
    expect(told(check({ proof }))).toBe(failure);
    expect(isCheckable(proof, network.trust)).toBe(failure !== 'unsupported_proof');
  });

  test('needs the ledger id with its roster, or a key that the chain told', () => {
    const alone = { ...network.trust, roster: null, knownKeys: [] };
    const told = { ...alone, ledgerId: null, knownKeys: [signature.subarray(0, HINTS_KEY_BYTES)] };
    expect([network.trust, alone, told].map((trust) => isCheckable(direct, trust))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a cached verdict is not taken for other trust, another key or another root', () => {
    const parts = { caches: new ProofCaches(), randomBytes };
    const question = { root, blockNumber: 5n, proof: direct, trust: network.trust };
    const again = (changed: Partial<ProofQuestion>) =>
      told(checkBlockProof({ ...question, ...changed }, parts));
    expect(again({})).toBe('holds 2 by ledger-id');
    expect(again({ root: new Uint8Array(48) })).toBe('bls');
    expect(again({ trust: { ...network.trust, ledgerId: root.subarray(0, 32) } })).toBe('ledger_id');
    const { roster } = network.trust;
    const heavier = roster?.map((entry) => ({ ...entry, weight: entry.weight + 1n })) ?? [];
    expect(again({ trust: { ...network.trust, roster: heavier } })).toBe('ledger_id');
    expect(again({})).toBe('holds 2 by ledger-id');
  });
});
