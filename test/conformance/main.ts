import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sharedDataMissing, sharedPath } from '../shared-data.ts';
import { caseFilePaths } from './case-files.ts';
import type { FileToRun } from './case-process.ts';
import { runFiles } from './case-processes.ts';
import { type Counts, printTotals } from './report.ts';
import { SUITES } from './suites.ts';

const USAGE = `Usage: npm run conformance -- [area ...] [--cases DIR] [--data DIR] [--only NAME]
                               [--backend NAME] [--processes N]

  area          one or more of: ${[...new Set(SUITES.map(({ area }) => area))].join(', ')}; default: all;
                or folders of them, such as verification-hostile
  --cases DIR   a folder in the same format instead of the area's own, read with all its subfolders
  --data DIR    where the stream files of streams cases are
  --only NAME   run only cases whose name contains NAME
  --backend NAME  sqlite or postgres: the database that the cases are asked of; default: TEST_BACKEND, else sqlite
  --processes N   files at a time, 1 to 99; default: one per processor, 16 at most`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      cases: { type: 'string' },
      data: { type: 'string' },
      only: { type: 'string' },
      backend: { type: 'string', default: process.env['TEST_BACKEND'] ?? 'sqlite' },
      processes: { type: 'string', default: String(Math.min(availableParallelism(), 16)) },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const named = SUITES.flatMap(({ area, folders }) => folders.map((folder) => ({ area, folder })));
  const unknown = positionals.filter(
    (name) => !named.some(({ area, folder }) => area === name || folder === name),
  );
  if (values.help === true || unknown.length > 0) {
    console.log(unknown.length > 0 ? `Unknown area: ${unknown.join(', ')}\n\n${USAGE}` : USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  if (!['sqlite', 'postgres'].includes(values.backend)) {
    console.log(`Unknown backend: ${values.backend}\n\n${USAGE}`);
    return 2;
  }
  if (!/^[1-9]\d?$/.test(values.processes)) {
    console.log(`Not a number of processes: ${values.processes}\n\n${USAGE}`);
    return 2;
  }
  if (sharedDataMissing !== null && (values.cases === undefined || values.data === undefined)) {
    console.log(`Nothing to replay: ${sharedDataMissing}, or give --cases and --data`);
    return 1;
  }
  process.env['TEST_BACKEND'] = values.backend;
  const folders =
    values.cases === undefined
      ? named
          .filter(
            ({ area, folder }) =>
              positionals.length === 0 || positionals.includes(area) || positionals.includes(folder),
          )
          .map(({ folder }) => join(sharedPath('cases'), folder))
      : [values.cases];
  let isComplete = true;
  const files: FileToRun[] = [];
  const common = { only: values.only ?? null, dataFolder: values.data ?? sharedPath('data', 'streams') };
  for (const folder of folders) {
    try {
      files.push(...caseFilePaths(folder).map((path) => ({ folder, path, ...common })));
    } catch (error) {
      fail(folder, (error as Error).message);
    }
  }
  const printed = new Set<string>();
  const counts: Counts[] = files.map(() => ({}));
  await runFiles(files, Number(values.processes), (result, index) => {
    for (const line of result.lines) {
      if (!printed.has(line)) console.log(line);
      printed.add(line);
    }
    counts[index] = result.counts;
    if (result.fault !== null) fail(files[index]?.folder ?? '', result.fault);
  });
  return printTotals(counts, (line) => console.log(line)) && isComplete ? 0 : 1;

  function fail(folder: string, reason: string): void {
    console.log(`FAILED ${folder}: ${reason}`);
    isComplete = false;
  }
}

process.exitCode = await main();
