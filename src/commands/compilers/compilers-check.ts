import { systemClock } from '../../values/clock.ts';
import { printFacts } from '../print-facts.ts';
import { createProgressLine } from '../progress-line.ts';
import { renderTable } from '../table.ts';
import type { CompilersAction } from './compilers.ts';

/**
 * `ledgerlens compilers check`: checks the bytes of every present compiler, starts it and asks for its version.
 *
 * Exit code 1 when something is wrong or there is none.
 */
export const checkCompilers: CompilersAction = async ({ compilers, management }, _words, values) => {
  const total = (await compilers.list()).compilers.length;
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
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
