import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { blockOf, blockParts } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { SignedBlocks } from '../../../../test/kit/mirror/ingest/signed-blocks.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type ChainEnd, storedChainEnd } from '../../ledger/chain-end.ts';
import { NO_LEDGER_TRUST } from '../units/ledger-trust.ts';
import type { UnitDemands } from '../units/stream-unit.ts';
import { blockRoots, type KnownForm, proveRoot } from './native-block.ts';
import { parseBlock } from './parse-block.ts';

const START = 1_700_000_000_000_000_000n;
const signed = new SignedBlocks(START);
const blocks = Array.from({ length: 3 }, () => signed.next());
const demands: UnitDemands = {
  mode: 'signatures',
  consensusRatio: [1n, 3n],
  keys: null,
  previous: null,
  trust: {
    ...NO_LEDGER_TRUST,
    ledgerId: Buffer.from(signed.ledgerId, 'hex'),
    isPinned: true,
    knownKeys: [signed.network.hints.keyBytes],
  },
};

/** The ledger ends with this block. */
async function endAt(number: number): Promise<ChainEnd> {
  const { header } = await blockOf(blocks[number]!).verify({ ...demands, mode: 'none' });
  const at = consensusTimestamp(START + BigInt(number) * 1_000_000_000n);
  return storedChainEnd({ ...header, source: '', consensusStart: at, consensusEnd: at, count: 0 }, null);
}

test('a block that was to prove itself later in the wrong form of its root proves itself when it is read again', async () => {
  const block = parseBlock(blocks[2]!, 'a.blk');
  const roots = blockRoots(block);
  const known: KnownForm = { form: 8 };
  const proofs = blockParts().proofs;
  const prove = () =>
    proveRoot(block, roots, { path: 'a.blk' }, { ...demands, mayProveLater: true }, { proofs, known });
  const { proveLater, root } = await prove();
  expect(root).toEqual(roots[8]);
  await expect(proveLater?.()).rejects.toMatchObject({ code: 'bad_block_proof' });
  expect(await prove()).toMatchObject({ root: roots[16], level: 'signatures' });
});

test('a native block is named by its number as networks do, and as big as its file', async () => {
  const packed = gzipSync(blocks[2]!);
  const { header } = await blockOf(packed, 'copy-of-2.blk.gz').verify({ ...demands, mode: 'none' });
  expect(header).toMatchObject({ name: '0000000000000000002.blk.gz', size: packed.length });
});

describe('a block whose address book nobody knows', () => {
  test('is proven by a key that the chain before it vouches for', async () => {
    const { header } = await blockOf(blocks[2]!).verify({ ...demands, previous: await endAt(1) });
    expect(header).toMatchObject({
      verification: 'signatures',
      proof: expect.stringContaining('key by chain'),
    });
  });

  test('is not proven by a key from before a gap, although the operator accepted that', async () => {
    const gaps = { accepts: async () => true };
    const { header } = await blockOf(blocks[2]!).verify({ ...demands, gaps, previous: await endAt(0) });
    expect(header).toMatchObject({ verification: 'chain', proof: expect.stringContaining('roster') });
  });
});
