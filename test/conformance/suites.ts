import { dirname, join } from 'node:path';
import type { CaseFile } from './case-files.ts';
import { isFeeFile, runFeeFile } from './fees-suite.ts';
import { isHostileVerifyFile, runHostileVerifyFile } from './hostile-verify-suite.ts';
import { isMirrorFile, runMirrorFile } from './mirror-suite.ts';
import { isOddStreamFile, runOddStreamFile } from './odd-streams-suite.ts';
import type { Report } from './report.ts';
import { isSeedFile, runSeedFile } from './seed-suite.ts';
import { isSequenceFile, runSequenceFile } from './sequence-suite.ts';
import { isStatusFile, runStatusFile } from './status-suite.ts';
import { isStreamFile, runStreamFile } from './streams-suite.ts';
import { isVerifyFile, runVerifyFile } from './verify-suite.ts';

export interface SuiteContext {
  readonly report: Report;
  /** Where the stream files are that streams cases import. */
  readonly dataFolder: string;
}

/** One kind of case files. A file's kind is told by its members, never by its name. */
export interface Suite {
  readonly area: string;
  /** Folders below `cases`, used unless `--cases` names another. */
  readonly folders: readonly string[];
  isCaseFile(file: CaseFile): boolean;
  run(folder: string, file: CaseFile, context: SuiteContext): Promise<void>;
}

export const SUITES: readonly Suite[] = [
  {
    area: 'seed',
    folders: ['seed'],
    isCaseFile: isSeedFile,
    run: (folder, file, { report }) => runSeedFile(folder, file, report),
  },
  {
    area: 'verify',
    folders: ['verifier-alliance', 'verification-own'],
    isCaseFile: isVerifyFile,
    run: (folder, file, { report }) => runVerifyFile(folder, file, report),
  },
  {
    area: 'verify',
    folders: ['verification-hostile', 'verification-2026-11'],
    isCaseFile: isHostileVerifyFile,
    run: (folder, file, { report }) => runHostileVerifyFile(folder, file, report),
  },
  {
    area: 'verify',
    folders: ['verification-sequences'],
    isCaseFile: isSequenceFile,
    run: (folder, file, { report }) => runSequenceFile(folder, file, report),
  },
  {
    area: 'mirror',
    folders: ['mirror-rest', 'mirror-entities', 'mirror-contracts'],
    isCaseFile: isMirrorFile,
    run: (folder, file, { report }) => runMirrorFile(folder, file, report),
  },
  {
    area: 'streams-odd',
    folders: ['streams-odd'],
    isCaseFile: isOddStreamFile,
    run: (folder, file, { report, dataFolder }) =>
      runOddStreamFile(folder, file, join(dirname(dataFolder), 'streams-odd'), report),
  },
  {
    area: 'streams',
    folders: ['streams'],
    isCaseFile: isStreamFile,
    run: (folder, file, { report, dataFolder }) => runStreamFile(folder, file, dataFolder, report),
  },
  {
    area: 'fees',
    folders: ['fee-estimates'],
    isCaseFile: isFeeFile,
    run: (folder, file, { report }) => runFeeFile(folder, file, report),
  },
  {
    area: 'status',
    folders: ['status'],
    isCaseFile: isStatusFile,
    run: (folder, file, { report }) => runStatusFile(folder, file, report),
  },
];

/** The suite that a file belongs to, null when its members fit none. */
export function suiteOf(file: CaseFile): Suite | null {
  return SUITES.find((suite) => suite.isCaseFile(file)) ?? null;
}
