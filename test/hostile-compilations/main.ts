import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBefore } from '../../src/verify/match/version-order.ts';
import { openCompileBench } from './compile-bench.ts';
import { KINDS, type Kind } from './hostile-contracts.ts';
import { type Judgement, judgeContract } from './judge-contract.ts';
import { FIRST_LINKERSYMBOL, FIRST_VERBATIM, judgeNameless, judgeSquatting } from './judge-yul.ts';
import { openStage } from './submission-stage.ts';

/** From the first with standard JSON through npm to the newest; those that are not installed come from the registry. */
const VERSIONS =
  '0.4.2 0.4.7 0.4.10 0.4.11 0.4.13 0.4.18 0.4.22 0.4.26 0.5.0 0.5.17 0.6.0 0.6.12 0.7.0 0.7.6 0.8.0 0.8.4 0.8.9 0.8.13 0.8.18 0.8.20 0.8.24 0.8.26 0.8.28 0.8.30 0.8.37';
const USAGE = `Usage: npm run test:hostile -- [--seed N] [--mutations N] [--versions "0.8.30 …"]

Compiles contracts that tempt a verifier, changes their code on chain in memory, and fails on a wrong verdict.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    mutations: { type: 'string', default: '200' },
    versions: { type: 'string', default: VERSIONS },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else
  process.exitCode = await run(Number(values.seed), Number(values.mutations), values.versions.split(/\s+/));

async function run(seed: number, count: number, versions: readonly string[]): Promise<number> {
  console.log(`seed ${seed}, ${count} mutations for each contract`);
  const folder = mkdtempSync(join(tmpdir(), 'hostile-compilations-'));
  const bench = openCompileBench(true, folder);
  const stage = await openStage(bench, folder);
  const wrong: string[] = [];
  let mutations = 0;
  const add = (judgement: Judgement) => {
    mutations += judgement.mutations;
    wrong.push(...judgement.wrong);
    for (const line of judgement.wrong) console.log(`WRONG ${line}`);
  };
  try {
    for (const version of versions) {
      if ((await bench.resolve(version)) === null) {
        console.log(`solc ${version}: left out, no place has it`);
        continue;
      }
      const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => !isBefore(version, KINDS[kind]));
      const twice: string[] = [];
      for (const kind of kinds) {
        const judgement = await judgeContract(bench, kind, version, seed, count);
        add(judgement);
        if (judgement.compilations > 1) twice.push(kind);
      }
      if (!isBefore(version, FIRST_LINKERSYMBOL)) add(await judgeNameless(bench, version, seed, count));
      if (!isBefore(version, FIRST_VERBATIM)) add(await judgeSquatting(bench, stage, version, seed, count));
      const note = twice.length > 0 ? `; compiled twice although equal: ${twice.join(', ')}` : '';
      console.log(`solc ${version}: ${kinds.length} contracts${note}`);
    }
  } finally {
    await stage.close();
    await bench.close();
    rmSync(folder, { recursive: true });
  }
  console.log(`${mutations} mutations, ${wrong.length} wrong verdicts`);
  return wrong.length === 0 && mutations > 0 ? 0 : 1;
}
