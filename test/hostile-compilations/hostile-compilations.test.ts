import { afterAll, describe, expect, test } from 'vitest';
import { seedOf } from '../support/seed.ts';
import { openCompileBench } from './compile-bench.ts';
import { KINDS, type Kind } from './hostile-contracts.ts';
import { judgeContract } from './judge-contract.ts';

/** A sample; `npm run test:hostile` runs every version with 200 mutations, and with any seed. */
const SEED = Number(seedOf('13'));
const MUTATIONS = 60;
const bench = openCompileBench(false);
afterAll(() => bench.close());

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
});
