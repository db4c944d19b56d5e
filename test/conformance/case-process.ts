import { basename } from 'node:path';
import { readCaseFile } from './case-files.ts';
import { type Counts, Report } from './report.ts';
import { suiteOf } from './suites.ts';

/** One file for a process to run. */
export interface FileToRun {
  /** That of the cases, which file names are relative to. */
  readonly folder: string;
  readonly path: string;
  readonly only: string | null;
  /** Where the stream files are that streams cases import. */
  readonly dataFolder: string;
}

/** What came of it. */
export interface FileResult {
  readonly counts: Counts;
  readonly lines: readonly string[];
  /** Why its cases could not be run; null when they were. */
  readonly fault: string | null;
}

async function run({ dataFolder, folder, only, path }: FileToRun): Promise<FileResult> {
  const report = new Report(only);
  let fault: string | null = null;
  try {
    const file = readCaseFile(folder, path);
    const suite = suiteOf(file);
    if (suite === null) throw new Error(`${path} is not a case file of a known kind`);
    await suite.run(basename(folder), file, { report, dataFolder });
  } catch (error) {
    fault = (error as Error).message;
  }
  return { counts: report.counts, lines: report.lines, fault };
}

process.on('message', (file: FileToRun) => {
  void run(file).then((result) => process.send?.(result));
});
// Whatever is still open: nobody waits for it any more.
process.on('disconnect', () => process.exit());
