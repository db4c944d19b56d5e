import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openCompileBench } from './compile-bench.ts';
import { KINDS, type Kind } from './hostile-contracts.ts';
import { judgeContract } from './judge-contract.ts';
import { judgeNameless, judgeSquatting } from './judge-yul.ts';
import { openStage, type SubmissionStage } from './submission-stage.ts';

/** A sample; `npm run test:hostile` runs every version with 200 mutations, and with any seed. */
const SEED = Number(seedOf('13'));
const MUTATIONS = 60;
const folder = mkdtempSync(join(tmpdir(), 'hostile-compilations-'));
const bench = openCompileBench(false, folder);
let stage: SubmissionStage;
beforeAll(async () => {
  stage = await openStage(bench, folder);
});
afterAll(async () => {
  await stage.close();
  await bench.close();
  rmSync(folder, { recursive: true });
});

const OLD: readonly Kind[] = ['dead code', 'data in constructors', 'factories of three levels'];
const cases = [
  ...(Object.keys(KINDS) as Kind[]).map((kind) => ({ kind, version: '0.8.30' })),
  ...OLD.map((kind) => ({ kind, version: '0.4.26' })),
];

describe('code on chain that was changed (issue 13)', () => {
  test.each(cases)(
    'gets no better verdict than it deserves: $kind, solc $version',
    async ({ kind, version }) => {
      const { mutations, wrong, compilations } = await judgeContract(bench, kind, version, SEED, MUTATIONS);
      expect(wrong).toEqual([]);
      expect(mutations).toBe(MUTATIONS);
      // Equal code needs no second compilation, however many contracts it creates.
      if (kind === 'factories of three levels') expect(compilations).toBe(1);
    },
  );

  test('is not matched by Yul whose parts have no name (issue 40)', async () => {
    const { mutations, wrong } = await judgeNameless(bench, '0.8.30', SEED, MUTATIONS);
    expect([mutations, ...wrong]).toEqual([MUTATIONS]);
  });

  test('is not kept from its sources by Yul that copies it (issue 40)', async () => {
    const { mutations, wrong } = await judgeSquatting(bench, stage, '0.8.30', SEED, 20);
    expect([mutations, ...wrong]).toEqual([20]);
  });
});
