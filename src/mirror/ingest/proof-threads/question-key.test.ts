import { describe, expect, test } from 'vitest';
import { aRosterEntry } from '../../../../test/kit/mirror/ingest/block-proof/made-rosters.ts';
import { writtenMessage } from '../../../../test/kit/mirror/ingest/block-proof/written-message.ts';
import type { ProofQuestion } from '../block-proof/proof-verdict.ts';
import { ownQuestion, questionKey, signatureKey } from './proof-threads.ts';

const memory = new Uint8Array(10_000).fill(3);
const entry = aRosterEntry(0n, 1n, 5n, '');
const question: ProofQuestion = {
  blockNumber: 1n,
  root: memory.subarray(0, 48),
  proof: memory.subarray(100, 200),
  trust: {
    ledgerId: memory.subarray(200, 232),
    wrapsKey: memory.subarray(300, 400),
    roster: [{ ...entry, key: memory.subarray(400, 592) }],
    knownKeys: [memory.subarray(600, 700)],
    leastGeneration: 1,
  },
};

describe('ownQuestion', () => {
  test('is the same in memory of its own', () => {
    const own = ownQuestion(question);
    expect(own).toEqual(question);
    const { knownKeys, ledgerId, roster, wrapsKey } = own.trust;
    const members = [own.root, own.proof, ledgerId, wrapsKey, roster?.[0]?.key, knownKeys[0]];
    expect(members.map((each) => each?.buffer.byteLength)).toEqual([48, 100, 32, 100, 192, 100]);
  });
});

describe('questionKey', () => {
  const { trust } = question;
  test.each<[string, Partial<ProofQuestion>]>([
    ['the block', { blockNumber: 2n }],
    ['the root', { root: memory.subarray(0, 47) }],
    ['the proof', { proof: memory.subarray(0, 101) }],
    ['the ledger id', { trust: { ...trust, ledgerId: null } }],
    ['the WRAPS key', { trust: { ...trust, wrapsKey: null } }],
    ['the generation', { trust: { ...trust, leastGeneration: 2 } }],
    ['a known key', { trust: { ...trust, knownKeys: [] } }],
    ['the roster', { trust: { ...trust, roster: null } }],
    ['a weight', { trust: { ...trust, roster: [{ ...entry, weight: 2n }] } }],
  ])('differs with %s', (_, change) => {
    expect(questionKey({ ...question, ...change })).not.toBe(questionKey(question));
    expect(questionKey({ ...question })).toBe(questionKey(question));
  });
});

test('signatureKey is that of the signature, whatever leads to it', () => {
  const signed = writtenMessage([1, memory.subarray(0, 2920)]);
  const direct = writtenMessage([1, 4n], [2, signed]);
  const indirect = writtenMessage([1, 3n], [3, writtenMessage([2, signed])]);
  const keyOf = (proof: Uint8Array) => signatureKey({ ...question, proof });
  expect(keyOf(indirect)).toBe(keyOf(direct));
  expect(keyOf(writtenMessage([2, writtenMessage([1, memory])]))).not.toBe(keyOf(direct));
  expect(keyOf(new Uint8Array())).toBe('');
});
