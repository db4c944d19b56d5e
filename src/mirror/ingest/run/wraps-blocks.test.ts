import { expect, test } from 'vitest';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { silentLog } from '../report/ingest-log.ts';
import { createImporter } from './importer.ts';

/** Each network with its first block, which publishes the key, and one that a WRAPS proof proves. */
const NETWORKS = [
  {
    ledgerId: '17fbc01aecd3bd502b37657bde5af3e6791a13ddbe1eb95389ba5cbf84a63a2f',
    first: 'blocks-wraps/0.78-0.blk.gz',
    proven: 'blocks-wraps/0.78-391.blk.gz',
  },
  {
    ledgerId: 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
    first: 'blocks-0.73/0.blk.gz',
    proven: 'blocks-wraps/0.73-467.blk.gz',
  },
];
/** Of a WRAPS proof with the key that it is checked by: the end of the block. */
const SIGNATURE_BYTES = 3432;
const FLIPS = 6;
const random = seededRandom(seedOf('WRAPS blocks'));

describeShared.each(NETWORKS)('the WRAPS proof of $proven', ({ first, ledgerId, proven }) => {
  const importing = (bytes: Uint8Array, isAccepted = true, pin: string | null = ledgerId) => {
    const ledger = memoryLedger();
    const parts = blockParts();
    const importer = createImporter({
      repository: ledger.repository,
      source: listing([blockOf(sharedBlock(first), first, parts), blockOf(bytes, proven, parts)]),
      log: silentLog,
      gaps: { ...noGaps, accepts: async () => isAccepted },
      options: { proofs: { ledgerId: pin, leastGeneration: 1, allowsGeneration1: true, every: 1 } },
    });
    return importer.run().then((report) => ({
      codes: report.refused.map(({ code }) => code),
      shown: ledger.units.map(({ header }) => [header.verification, header.proof]),
    }));
  };

  test('holds behind a gap that the operator accepted, with the ledger id alone', async () => {
    const whole = sharedBlock(proven);
    expect(await importing(whole, false)).toMatchObject({ codes: ['nonconsecutive_block'] });
    const level = ['signatures', 'generation 1'];
    expect(await importing(whole)).toEqual({ codes: [], shown: [level, level] });
    expect((await importing(whole, true, null)).shown.map(([each]) => each)).toEqual(['chain', 'chain']);
  });

  test('never holds with a changed bit of key, signature or contents', { timeout: 120_000 }, async () => {
    const whole = sharedBlock(proven);
    const begin = whole.length - SIGNATURE_BYTES;
    const places = Array.from({ length: FLIPS }, (_, index) =>
      index % 3 === 0 ? random.below(begin) : begin + random.below(SIGNATURE_BYTES),
    );
    for (const at of places) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      const { shown } = await importing(bytes);
      expect(shown[1]?.[0], `byte ${at}`).not.toBe('signatures');
    }
  });
});
