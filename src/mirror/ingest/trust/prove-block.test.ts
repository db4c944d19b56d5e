import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { blockSignatureOf, realBlock } from '../../../../test/kit/mirror/ingest/block-proof/real-blocks.ts';
import { NO_KNOWN_TRUST } from '../../../../test/kit/mirror/ledger-rows.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../values/hex.ts';
import { checkBlockProof } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { LedgerTrust } from '../units/ledger-trust.ts';
import { ledgerTrustOf } from './ledger-trust-of.ts';
import { proveBlock, toldKeys, trustOfBlock } from './prove-block.ts';

const IDS = {
  'blocks-0.73': 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
  'blocks-0.78': '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205',
} as const;
const parts = { caches: new ProofCaches(), randomBytes };
const checker = {
  check: async (question: Parameters<typeof checkBlockProof>[0]) => checkBlockProof(question, parts),
};

function trust(ledgerId: string | null, allowsGeneration1: boolean, leastGeneration: 1 | 2 = 1): LedgerTrust {
  return ledgerTrustOf(NO_KNOWN_TRUST, { ledgerId, allowsGeneration1, leastGeneration, every: 1 });
}

describeShared.each(['blocks-0.73', 'blocks-0.78'] as const)('%s', (set) => {
  const block = realBlock(set, 0);
  const prove = (
    known: LedgerTrust,
    mode: 'signatures' | 'strict' | 'chain' | 'none',
    proofs = [block.proof],
  ) => proveBlock({ ...block, proofs }, { mode, trust: known }, checker);

  test('names its ledger and its threshold key', () => {
    const told = toldKeys(block.items);
    expect(bareHex(told.stateLedgerId!)).toBe(IDS[set]);
    expect(told.keys.map((key) => Buffer.from(key))).toEqual([blockSignatureOf(block).subarray(0, 1096)]);
    const own = trustOfBlock(trust(null, false), block);
    expect([bareHex(own.ledgerId!), own.isPinned, own.wrapsKey?.length]).toEqual([IDS[set], false, 1768]);
  });

  test('adds the roster to a pinned id, but neither its WRAPS key nor what belongs to another id', () => {
    const own = trustOfBlock(trust(IDS[set], true), block);
    expect([own.roster!.length > 2, own.wrapsKey, own.isPinned]).toEqual([true, null, true]);
    const other = trust('ab'.repeat(32), true);
    expect(trustOfBlock(other, block)).toBe(other);
  });

  test('is chain when nobody pins its ledger id, and tells no keys for later blocks', async () => {
    expect(await prove(trust(null, true), 'signatures')).toMatchObject({
      level: 'chain',
      note: 'generation 1, ledger id not pinned (MIRROR_LEDGER_ID)',
      proof: { generation: 1, keys: [], stateLedgerId: Uint8Array.from(Buffer.from(IDS[set], 'hex')) },
    });
    await expect(prove(trust(null, true), 'strict')).rejects.toMatchObject({ code: 'missing_ledger_id' });
  });

  test('is proven by signatures when its id is pinned and generation 1 allowed', async () => {
    for (const mode of ['signatures', 'strict'] as const) {
      const proven = await prove(trust(IDS[set], true), mode);
      expect(proven).toMatchObject({ level: 'signatures', note: 'generation 1', proof: { generation: 1 } });
      expect(proven.proof?.keys.map(({ length }) => length)).toEqual([1096, 1096]);
    }
  });

  test('is chain when generation 1 is not allowed, and false by the rules of generation 2', async () => {
    expect(await prove(trust(IDS[set], false), 'signatures')).toMatchObject({
      level: 'chain',
      proof: { keys: [] },
    });
    await expect(prove(trust(IDS[set], false), 'strict')).rejects.toMatchObject({
      code: 'unsupported_proof',
    });
    await expect(prove(trust(IDS[set], false, 2), 'signatures')).rejects.toMatchObject({
      code: 'bad_block_proof',
    });
  });

  test('cannot be checked with the id of another ledger, whose roster nobody told', async () => {
    expect(await prove(trust('ab'.repeat(32), true), 'signatures')).toMatchObject({
      level: 'chain',
      proof: { keys: [] },
    });
    const known = trustOfBlock(trust(null, true), block);
    const wrong = { ...known, ledgerId: Buffer.from('ab'.repeat(32), 'hex'), isPinned: true };
    await expect(prove(wrong, 'signatures')).rejects.toMatchObject({
      code: 'bad_block_proof',
      message: expect.stringContaining('ledger_id'),
    });
  });

  test('is proven by a key that the chain vouches for where the roster is not known, unless nobody pins the ledger', async () => {
    const key = Uint8Array.from(blockSignatureOf(block).subarray(0, 1096));
    const next = realBlock(set, 1);
    const proveNext = (known: LedgerTrust) =>
      proveBlock({ ...next, proofs: [next.proof] }, { mode: 'signatures', trust: known }, checker);
    const pinned = trust(IDS[set], true);
    expect(await proveNext(pinned)).toMatchObject({
      level: 'chain',
      note: expect.stringContaining('roster'),
    });
    expect(await proveNext({ ...pinned, knownKeys: [key] })).toMatchObject({
      level: 'signatures',
      note: 'generation 1, key by chain',
      proof: { keys: [key] },
    });
    expect(await proveNext({ ...trust(null, true), knownKeys: [key] })).toMatchObject({ level: 'chain' });
  });

  test('is chain, with advice, when neither block nor state names a ledger id', async () => {
    const items = block.items.filter(({ field }) => field !== 4 && field !== 7);
    const nameless = { ...block, items, proofs: [block.proof] };
    const asked = (mode: 'signatures' | 'strict') =>
      proveBlock(nameless, { mode, trust: trust(null, true) }, checker);
    expect(await asked('signatures')).toMatchObject({
      level: 'chain',
      note: expect.stringContaining('MIRROR_LEDGER_ID'),
      proof: { generation: null, keys: [], stateLedgerId: null },
    });
    await expect(asked('strict')).rejects.toMatchObject({ code: 'missing_ledger_id' });
  });

  test('tells nothing of the ledger in later blocks, which hold publications of anybody', () => {
    const known = trust(null, true);
    expect(trustOfBlock(known, { ...block, number: 1n })).toBe(known);
  });

  test('is malformed when its transactions or states are', async () => {
    for (const field of [4, 7]) {
      const items = [{ field, bytes: Uint8Array.of(0xff) }, ...block.items];
      const broken = { ...block, items, proofs: [block.proof] };
      for (const mayProveLater of [true, false]) {
        await expect(
          proveBlock(
            broken,
            { mode: 'signatures', trust: trust('ab'.repeat(32), true), mayProveLater },
            checker,
          ),
        ).rejects.toMatchObject({ code: 'malformed' });
      }
    }
  });

  test('is refused with a false proof, also beside a true one or for nobody', async () => {
    const damaged = Uint8Array.from(block.proof);
    damaged[1500] = damaged[1500]! ^ 1;
    for (const proofs of [[damaged], [block.proof, damaged], [damaged, block.proof]]) {
      await expect(prove(trust(null, false), 'signatures', proofs)).rejects.toMatchObject({
        code: 'bad_block_proof',
      });
    }
    await expect(prove(trust(null, false), 'signatures', [])).rejects.toMatchObject({ code: 'malformed' });
  });

  test.each(['chain', 'none'] as const)('is not asked for a proof in mode %s', async (mode) => {
    expect(await prove(trust(IDS[set], true), mode, [])).toEqual({ level: mode, note: null, proof: null });
  });
});
