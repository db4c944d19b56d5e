import { readConfig } from '../../config.ts';
import { createServices, systemDependencies } from '../../services.ts';
import { IN_MEMORY } from '../../store/database-url.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import {
  type CompilerKind,
  type CompilerManagement,
  CompilerSourceError,
  type DownloadName,
  type DownloadProgress,
  type VerifyArea,
} from '../../verify/index.ts';
import type { Invocation } from '../command.ts';
import { createLogger } from '../logger.ts';
import { printFacts, renderTable } from '../print-facts.ts';
import { createProgressLine, type ProgressLine } from '../progress-line.ts';
import { type Action, readAction, readChoice } from '../read-words.ts';

type CompilersAction = Action<VerifyArea>;

/** A line of the list: language, version, kind, source. */
type Row = readonly [language: string, version: string, kind: string, source: string];

/** `ledgerlens compilers list`: what verifications can compile with, newest first; `--available`: also what could be fetched. */
const listCompilers: CompilersAction = async ({ compilers, management }, _words, values) => {
  const { compilers: present, problems } = await compilers.list();
  const offers = values['available'] === true ? await management.offers() : [];
  const rows = [
    ...present.map(({ language, version, kind, source }): Row => [language, version, kind, source]),
    ...offers.flatMap(({ place, offers: offered }) =>
      offered.map(({ language, version, kind }): Row => [language, version, kind, `available from ${place}`]),
    ),
  ];
  const sorted = rows.sort(newestFirst);
  const facts = sorted.map(([language, version, kind, source]) => ({ language, version, kind, source }));
  printFacts(values, facts, () => renderTable([['compiler', 'version', 'kind', 'source'], ...sorted]));
  for (const problem of problems) console.error(problem);
  const silent = offers.filter(({ problem }) => problem !== null);
  for (const { place, problem } of silent) console.error(`${place}: ${problem}`);
  return silent.length > 0 ? 1 : 0;
};

function newestFirst(left: Row, right: Row): number {
  return left[0].localeCompare(right[0]) || right[1].localeCompare(left[1], 'en', { numeric: true });
}

const BYTES_PER_KIB = 1024;

/** `ledgerlens compilers fetch VERSION…`: downloads, checks and keeps compilers. Exit code 1 when one is not to be had. */
const fetchCompilers: CompilersAction = async ({ management }, versions, values) => {
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
        line = createProgressLine();
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

/**
 * `ledgerlens compilers add FILE…`: puts files that the operator vouches for into the kept compilers.
 *
 * Exit code 1 when one was refused.
 */
const addCompilers: CompilersAction = async ({ management }, paths, values) => {
  if (paths.length === 0) {
    throw new LedgerlensError(
      'usage',
      'Name at least one file: ledgerlens compilers add vyper.0.4.3+commit.bff19ea2.linux',
    );
  }
  const language = readChoice(values, 'language', ['solc', 'vyper', 'fe']);
  const { version, sha256 } = values;
  if (paths.length > 1 && (typeof version === 'string' || typeof sha256 === 'string')) {
    throw new LedgerlensError('usage', '--version and --sha256 apply to one file: add one file at a time');
  }
  if (typeof sha256 === 'string' && !/^[0-9a-fA-F]{64}$/.test(sha256)) {
    throw new LedgerlensError('usage', '--sha256 must be 64 hex digits');
  }
  let failed = 0;
  for (const path of paths) {
    try {
      const added = await management.add({
        path,
        language,
        version: typeof version === 'string' ? version.replace(/^v/, '') : null,
        sha256: typeof sha256 === 'string' ? sha256.toLowerCase() : null,
      });
      console.log(`${path}: version ${added.version}, SHA-256 ${added.sha256}, stored as ${added.path}`);
    } catch (error) {
      if (!(error instanceof CompilerSourceError)) throw error;
      console.error(`${path} was not added: ${error.message}`);
      failed++;
    }
  }
  return failed > 0 ? 1 : 0;
};

/**
 * `ledgerlens compilers check`: checks the bytes of every present compiler, starts it and asks for its version.
 *
 * Exit code 1 when something is wrong or there is none.
 */
const checkCompilers: CompilersAction = async ({ compilers, management }, _words, values) => {
  const total = (await compilers.list()).compilers.length;
  const line = createProgressLine();
  const checked: Checked[] = [];
  const problems: string[] = [];
  for await (const { compiler, problem } of management.check()) {
    if (compiler === null) {
      problems.push(problem ?? '');
      continue;
    }
    const { language, version, kind, source } = compiler;
    checked.push({ language, version, kind, source, problem });
    line.show({ done: checked.length, total, what: 'compilers', detail: `${language} ${version}` });
  }
  line.close();
  printFacts(values, { compilers: checked, problems }, () =>
    [
      renderTable([['compiler', 'version', 'kind', 'state', 'source'], ...checked.map(rowOf)]),
      ...problems.map((problem) => `WRONG: ${problem}`),
    ].join('\n'),
  );
  const isRight = problems.length === 0 && checked.every(({ problem }) => problem === null);
  return isRight && checked.length > 0 ? 0 : 1;
};

interface Checked {
  readonly language: string;
  readonly version: string;
  readonly kind: string;
  readonly source: string;
  readonly problem: string | null;
}

function rowOf({ kind, language, problem, source, version }: Checked): readonly string[] {
  return [language, version, kind, problem === null ? 'ok' : 'WRONG', problem ?? source];
}

const ACTIONS: Readonly<Record<string, CompilersAction>> = {
  list: listCompilers,
  fetch: fetchCompilers,
  add: addCompilers,
  check: checkCompilers,
};

/** `ledgerlens compilers ACTION`: the compilers that verifications can use. */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'list', ...words] = positionals;
  const action = readAction(ACTIONS, 'compilers', name);
  const config = readConfig(env);
  const services = await createServices(
    { ...config, database: IN_MEMORY },
    systemDependencies(createLogger(config)),
  );
  try {
    return await action(services.verify, words, values);
  } finally {
    await services.close();
  }
}
