import { expect, test } from 'vitest';
import { realProof } from '../../../../../test/kit/mirror/ingest/block-proof/real-proofs.ts';
import { describeShared } from '../../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../../values/hex.ts';
import { ledgerIdOf } from './check-schnorr-proof.ts';
import { poseidonHash, verificationKeyHash } from './verification-key-hash.ts';

const NETWORKS = [
  {
    set: 'blocks-0.73',
    nodes: 3,
    ledgerId: 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
    keyHash: 'f999c73bafdb015249c3f5e74b7b0d5154349c0c9cca97f90bdf63ee5c160410',
  },
  {
    set: 'blocks-0.78',
    nodes: 4,
    ledgerId: '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205',
    keyHash: 'c1e6c6f6ee2cd14cc9a868af18a674d35e1bbe236afe78bd7923b8eae34b5914',
  },
] as const;

test.each([
  [[1n, 2n], 0x2dddd542213b9228162ff1b438c3709c057a9550103c9173c6204fb29b802c37n],
  [[1n, 2n, 3n, 4n, 5n], 0x046f72048d371ab8c2793248aee7aa80a56a4f990d4d21ca5424509a0d5c85c3n],
])('the Poseidon hash of %s is the known one', (inputs, hash) => {
  expect(poseidonHash(inputs)).toBe(hash);
});

describeShared.each(NETWORKS)('$set', ({ keyHash, ledgerId, nodes, set }) => {
  test('publishes a roster that its ledger id is the hash of', () => {
    const published = realProof(set);
    expect(published.roster.map(({ nodeId }) => nodeId)).toEqual([0n, 1n, 2n, 3n].slice(0, nodes));
    expect(bareHex(published.ledgerId)).toBe(ledgerId);
    expect(bareHex(ledgerIdOf(published.roster))).toBe(ledgerId);
  });

  test('has another ledger id with another weight, node, order or number of nodes', () => {
    const { roster } = realProof(set);
    const [first, ...others] = roster as [(typeof roster)[0], ...typeof roster];
    const changed = [
      [{ ...first, weight: 2n }, ...others],
      [{ ...first, nodeId: 9n }, ...others],
      [...others, first],
      others,
      [...roster, first],
    ];
    const ids = changed.map((each) => bareHex(ledgerIdOf(each)));
    expect(new Set([ledgerId, ...ids]).size).toBe(changed.length + 1);
  });

  test('signed the hash of its threshold key, which generation 2 hashes otherwise', () => {
    const { verificationKey } = realProof(set);
    expect(bareHex(verificationKeyHash(verificationKey, 1))).toBe(keyHash);
    expect(bareHex(verificationKeyHash(verificationKey, 2))).not.toBe(keyHash);
  });
});
