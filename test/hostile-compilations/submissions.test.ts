import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openCompileBench } from './compile-bench.ts';
import type { Kind } from './hostile-contracts.ts';
import { CHANGES, judgeSubmissions } from './judge-submissions.ts';
import { openStage, type SubmissionStage } from './submission-stage.ts';

/** A sample; `npm run test:submissions` draws 2000 from every version, kind and setting, and with any seed. */
const SEED = Number(seedOf('7'));
const folder = mkdtempSync(join(tmpdir(), 'drawn-submissions-'));
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

const cases: readonly (readonly [Kind, string, string])[] = [
  ['unneeded files', 'IR', '0.8.30'],
  ['function pointers', '200 runs', '0.8.30'],
  ['immutables', 'no hash', '0.8.30'],
  ['libraries', 'older EVM', '0.5.17'],
  ['dead code', 'literal', '0.4.26'],
];

describe('a contract that is submitted as it is and changed', () => {
  test.each(cases)(
    'gets the grade that it deserves and a record that gives its code: %s, %s, solc %s',
    async (...drawn) => {
      const judged = await judgeSubmissions(bench, stage, drawn, SEED);
      expect(judged?.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(judged?.map(({ change }) => change)).toEqual(CHANGES);
    },
  );
});
