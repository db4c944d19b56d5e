import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { blockOf, listing, sharedBlock } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { checkBlockProof } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { ProofQuestion } from '../block-proof/proof-verdict.ts';
import { createProofChecker } from '../proof-threads/proof-checker.ts';
import { ProofThreads } from '../proof-threads/proof-threads.ts';
import type { ProofCheck } from '../trust/prove-block.ts';

const FILES = [0, 1, 2].map((number) => `blocks-0.78/${number}.blk.gz`);
const HOME = { shard: 11n, realm: 12n };
const LEDGER_ID = '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205';
const PINNED = {
  ...HOME,
  proofs: { ledgerId: LEDGER_ID, leastGeneration: 1, allowsGeneration1: true, every: 1 },
} as const;

/** Imports the blocks of one source, whose proofs are checked there. */
async function imported(proofs: ProofCheck) {
  const parts = { proofs, known: { form: null } };
  const ledger = memoryLedger();
  const units = FILES.map((file) => blockOf(sharedBlock(file), file, parts));
  return { ledger, report: await ledger.import(listing(units), PINNED) };
}

let threads: ProofThreads | null = null;
afterEach(() => threads?.close());

describeShared('the proofs of an import', () => {
  test('are begun before those of earlier blocks are answered', async () => {
    const parts = { caches: new ProofCaches(), randomBytes };
    const asked = new Set<bigint>();
    let isLaterAsked = () => {};
    const later = new Promise<void>((resolve) => {
      isLaterAsked = resolve;
    });
    const { report } = await imported({
      async check(question: ProofQuestion) {
        asked.add(question.blockNumber);
        if (asked.has(1n) && asked.has(2n)) isLaterAsked();
        // Hangs for ever where nobody asks for block 2 before block 1 is answered.
        if (question.blockNumber === 1n) await later;
        return checkBlockProof(question, parts);
      },
    });
    expect(report).toMatchObject({ units: 3, refused: [], verification: 'signatures' });
  });

  test('make the same ledger in threads as in the calling one', async () => {
    threads = new ProofThreads({ threads: 2 });
    const [here, there] = [await imported(createProofChecker()), await imported(threads)];
    expect(there.report).toEqual(here.report);
    expect(there.ledger.units).toEqual(here.ledger.units);
    expect(here.ledger.units.map(({ header }) => header.proof)).toEqual([
      'generation 1',
      'generation 1',
      'generation 1',
    ]);
  });
});
