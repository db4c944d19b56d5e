import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBefore } from '../../src/verify/match/version-order.ts';
import { openCompileBench } from './compile-bench.ts';
import { settingsOfVersion } from './drawn-settings.ts';
import { KINDS, type Kind } from './hostile-contracts.ts';
import { CHANGES, judgeSubmissions } from './judge-submissions.ts';
import { seeded } from './random.ts';
import { openStage } from './submission-stage.ts';

/** Those that are not installed come from the registry. */
const VERSIONS =
  '0.4.11 0.4.18 0.4.26 0.5.0 0.5.17 0.6.0 0.6.12 0.7.0 0.7.6 0.8.0 0.8.4 0.8.6 0.8.9 0.8.13 0.8.18 0.8.24 0.8.28 0.8.30';
const USAGE = `Usage: npm run test:submissions -- [--seed N] [--count N] [--versions "0.8.30 …"]

Submits contracts as they are and changed, and fails on another grade than they deserve, or on a record whose sources
do not give the code on chain.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '2000' },
    versions: { type: 'string', default: VERSIONS },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else process.exitCode = await run(Number(values.seed), Number(values.count), values.versions.split(/\s+/));

async function run(seed: number, count: number, versions: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'drawn-submissions-'));
  const bench = openCompileBench(true, folder);
  const stage = await openStage(bench, folder);
  const grades = new Map<string, number>();
  let [submissions, records, wrong] = [0, 0, 0];
  console.log(`seed ${seed}, ${count} submissions`);
  try {
    for (const [index, version] of versions.entries()) {
      if ((await bench.resolve(version)) === null) {
        console.log(`solc ${version}: left out, no place has it`);
        continue;
      }
      const goal = Math.ceil((count * (index + 1)) / versions.length);
      const random = seeded(seed, version);
      const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => !isBefore(version, KINDS[kind]));
      const startedAt = performance.now();
      for (let round = 0; submissions < goal; round++) {
        const kind = kinds[(round + 5 * index) % kinds.length] ?? 'libraries';
        const setting = random.pick(settingsOfVersion(version));
        const judged = await judgeSubmissions(bench, stage, [kind, setting, version], seed + round);
        for (const { change, grade, isRecorded, wrong: lines } of judged ?? []) {
          submissions += 1;
          records += Number(isRecorded);
          wrong += Number(lines.length > 0);
          const key = `${change}: ${grade}`;
          grades.set(key, (grades.get(key) ?? 0) + 1);
          for (const line of lines) console.log(`WRONG ${line}`);
        }
      }
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(`solc ${version}: ${submissions} submissions so far, ${seconds} s`);
    }
  } finally {
    await stage.close();
    await bench.close();
    rmSync(folder, { recursive: true });
  }
  for (const change of CHANGES) {
    const ofChange = [...grades].filter(([key]) => key.startsWith(`${change}: `));
    console.log(ofChange.map(([key, number]) => `${key} ${number}`).join(', '));
  }
  console.log(`${submissions} submissions, ${records} records compiled again, ${wrong} wrong`);
  return wrong === 0 && submissions > 0 ? 0 : 1;
}
