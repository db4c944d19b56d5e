import { systemClock } from '../../values/clock.ts';
import { createProgressLine } from '../progress-line.ts';
import { renderTable } from '../table.ts';
import type { CompilersAction } from './compilers.ts';

/**
 * `ledgerlens compilers check`: checks the bytes of every present compiler, starts it and asks for its version.
 *
 * Exit code 1 when something is wrong or there is none.
 */
export const checkCompilers: CompilersAction = async ({ compilers, management }) => {
  const total = (await compilers.list()).compilers.length;
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
  const rows: string[][] = [];
  const problems: string[] = [];
  for await (const { compiler, problem } of management.check()) {
    if (compiler === null) {
      problems.push(problem ?? '');
      continue;
    }
    const { language, version, kind, source } = compiler;
    rows.push([language, version, kind, problem === null ? 'ok' : 'WRONG', problem ?? source]);
    line.show({ done: rows.length, total, what: 'compilers', detail: `${language} ${version}` });
  }
  line.close();
  console.log(renderTable([['compiler', 'version', 'kind', 'state', 'source'], ...rows]));
  for (const problem of problems) console.log(`WRONG: ${problem}`);
  const isRight = rows.length > 0 && problems.length === 0 && rows.every((row) => row[3] === 'ok');
  return isRight ? 0 : 1;
};
