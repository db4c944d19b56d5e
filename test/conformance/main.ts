import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sharedPath } from '../shared-data.ts';
import { type CaseFile, readCaseFiles } from './case-files.ts';
import { Report } from './report.ts';
import { SUITES, suiteOf } from './suites.ts';

const USAGE = `Usage: npm run conformance -- [area ...] [--cases DIR] [--data DIR] [--only NAME]

  area          one or more of: ${[...new Set(SUITES.map(({ area }) => area))].join(', ')}; default: all
  --cases DIR   a folder in the same format instead of the area's own, read with all its subfolders
  --data DIR    where the stream files of streams cases are
  --only NAME   run only cases whose name contains NAME
  --backend NAME  sqlite (default) or postgres: the database that the cases are asked of`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      cases: { type: 'string' },
      data: { type: 'string' },
      only: { type: 'string' },
      backend: { type: 'string', default: 'sqlite' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const unknown = positionals.filter((area) => !SUITES.some((suite) => suite.area === area));
  if (values.help === true || unknown.length > 0) {
    console.log(unknown.length > 0 ? `Unknown area: ${unknown.join(', ')}\n\n${USAGE}` : USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  if (!['sqlite', 'postgres'].includes(values.backend)) {
    console.log(`Unknown backend: ${values.backend}\n\n${USAGE}`);
    return 2;
  }
  process.env['TEST_BACKEND'] = values.backend;
  const areas = SUITES.filter(({ area }) => positionals.length === 0 || positionals.includes(area));
  const report = new Report({ only: values.only ?? null, print: (line) => console.log(line) });
  const context = { report, dataFolder: values.data ?? sharedPath('data', 'streams') };
  const folders =
    values.cases === undefined
      ? areas.flatMap((suite) => suite.folders.map((folder) => join(sharedPath('cases'), folder)))
      : [values.cases];
  let isComplete = true;
  for (const folder of folders) {
    try {
      for (const file of readCaseFiles(folder)) await runFile(folder, file);
    } catch (error) {
      console.log(`FAILED ${folder}: ${(error as Error).message}`);
      isComplete = false;
    }
  }
  return report.close() && isComplete ? 0 : 1;

  async function runFile(folder: string, file: CaseFile): Promise<void> {
    const suite = suiteOf(file);
    if (suite === null) throw new Error(`${file.path} is not a case file of a known kind`);
    await suite.run(basename(folder), file, context);
  }
}

process.exitCode = await main();
