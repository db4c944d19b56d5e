import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { blockOf, listing } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { SignedBlocks } from '../../../../test/kit/mirror/ingest/signed-blocks.ts';
import { checkBlockProof } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { ImporterOptions } from './importer.ts';

const LONG_AGO = 1_700_000_000_000_000_000n;
const ELSE = new Uint8Array(48).fill(3);
const COUNT = 10;
/**
 * The first block tells the ledger id, so it is checked; each of the others is bound by the next one that is. Block 3 was
 * asked for ahead, before block 0 turned out not to be one of those that wait.
 */
const ASKED = [0n, 3n, 4n, 8n, 9n];

/** Imports ten blocks; those in `wrong` are signed for another root. */
async function imported(every: number, wrong: readonly number[] = [], options: ImporterOptions = {}) {
  const blocks = new SignedBlocks(LONG_AGO);
  const asked: bigint[] = [];
  const caches = new ProofCaches();
  const parts = {
    known: { form: null },
    proofs: {
      async check(question: Parameters<typeof checkBlockProof>[0]) {
        if (!asked.includes(question.blockNumber)) asked.push(question.blockNumber);
        return checkBlockProof(question, { caches, randomBytes });
      },
    },
  };
  const units = Array.from({ length: COUNT }, (_, number) =>
    blockOf(blocks.next(wrong.includes(number) ? ELSE : undefined), `${number}.blk`, parts),
  );
  const ledger = memoryLedger();
  const report = await ledger.import(listing(units), {
    proofs: { ledgerId: blocks.ledgerId, leastGeneration: 2, allowsGeneration1: false, every },
    ...options,
  });
  const notes = ledger.units.map(({ header }) => `${header.verification}: ${header.proof}`);
  return { asked: asked.toSorted((one, other) => Number(one - other)), notes, report };
}

describe('MIRROR_PROOF_EVERY', () => {
  test('1 checks the proof of every block', async () => {
    const { asked, notes, report } = await imported(1);
    expect(report).toMatchObject({ units: COUNT, refused: [], verification: 'signatures' });
    expect(asked).toHaveLength(COUNT);
    expect(new Set(notes.slice(1))).toEqual(new Set(['signatures: generation 2, key by chain']));
  });

  test('4 checks every fourth block and the last one, and nothing is stored below its level', async () => {
    const { asked, notes, report } = await imported(4);
    expect(report).toMatchObject({ units: COUNT, refused: [], verification: 'signatures' });
    expect(asked).toEqual(ASKED);
    const by = (name: string) => `signatures: generation 2, key by chain, by the proof of ${name}`;
    const own = 'signatures: generation 2, key by chain';
    const fourth = (name: string) => [by(name), by(name), by(name), own];
    expect(notes).toEqual(['signatures: generation 2', ...fourth('4.blk'), ...fourth('8.blk'), own]);
  });

  test('a false proof refuses its block, wherever it is; nothing behind it is stored', async () => {
    for (const wrong of [4, 8, 9]) {
      const { notes, report } = await imported(4, [wrong]);
      expect(report).toMatchObject({ refused: [{ name: `${wrong}.blk`, code: 'bad_block_proof' }] });
      expect(notes).toHaveLength(wrong);
      expect(notes.every((note) => note.startsWith('signatures'))).toBe(true);
    }
  });

  test('in mode strict every proof is checked', async () => {
    expect((await imported(4, [], { verify: 'strict' })).asked).toHaveLength(COUNT);
  });

  test('single commits of a server wait for the proof as well', async () => {
    const { asked, report } = await imported(4, [], { sharesCommits: false });
    expect(report).toMatchObject({ units: COUNT, verification: 'signatures' });
    expect(asked).toEqual(ASKED);
  });
});
