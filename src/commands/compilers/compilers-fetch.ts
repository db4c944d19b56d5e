import { systemClock } from '../../values/clock.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import {
  type CompilerKind,
  type CompilerManagement,
  CompilerSourceError,
  type DownloadName,
  type DownloadProgress,
} from '../../verify/index.ts';
import { readChoice } from '../option-choice.ts';
import { createProgressLine, type ProgressLine } from '../progress-line.ts';
import type { CompilersAction } from './compilers.ts';

const BYTES_PER_KIB = 1024;

/** `ledgerlens compilers fetch VERSION…`: downloads, checks and keeps compilers. Exit code 1 when one is not to be had. */
export const fetchCompilers: CompilersAction = async ({ management }, versions, values) => {
  if (versions.length === 0) {
    throw new LedgerlensError('usage', 'Name at least one version: ledgerlens compilers fetch 0.8.29');
  }
  for (const version of versions) {
    if (!/^v?\d+\.\d+\.\d+/.test(version)) {
      throw new LedgerlensError(
        'usage',
        `"${version}" is not a version such as 0.8.29 or 0.8.29+commit.ab55807c`,
      );
    }
  }
  const language = readChoice(values, 'language', ['solc', 'vyper', 'fe']) ?? 'solc';
  if (language !== 'solc') {
    throw new LedgerlensError(
      'usage',
      `Releases of ${language} have no checksum list. Download the executable yourself, then run: ledgerlens compilers add FILE`,
    );
  }
  const from = readChoice(values, 'from', ['list', 'registry']);
  const kind = readChoice(values, 'kind', ['wasm', 'native']) ?? 'wasm';
  let failed = 0;
  for (const version of versions) {
    if (!(await fetchOne(management, version, kind, from))) failed++;
  }
  return failed > 0 ? 1 : 0;
};

async function fetchOne(
  management: CompilerManagement,
  given: string,
  kind: CompilerKind,
  from: DownloadName | null,
): Promise<boolean> {
  const version = given.replace(/^v/, '');
  const progress = createByteProgress();
  try {
    const wanted = { language: 'solc', version, kind } as const;
    const { executable, place, wasPresent } = await management.fetch(wanted, from, progress.show);
    progress.close();
    const how = wasPresent ? 'present in' : 'fetched from';
    console.log(`solc ${executable.version}: ${how} ${place}, ${executable.path}`);
    return true;
  } catch (error) {
    if (!(error instanceof CompilerSourceError)) throw error;
    progress.close();
    console.error(`solc ${version}: ${error.message}`);
    return false;
  }
}

/** A line for each file, begun with its first bytes so that the rate is that of the download. */
function createByteProgress() {
  let line: ProgressLine | null = null;
  let shown = '';
  return {
    show({ done, total, name }: DownloadProgress) {
      if (line === null || name !== shown) {
        line?.close();
        line = createProgressLine({ clock: systemClock, stream: process.stderr });
        shown = name;
      }
      line.show({
        done: Math.round(done / BYTES_PER_KIB),
        total: total === null ? null : Math.round(total / BYTES_PER_KIB),
        what: 'KiB',
        detail: name,
      });
    },
    close: () => line?.close(),
  };
}
