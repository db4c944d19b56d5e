import { printFacts } from '../print-facts.ts';
import { renderTable } from '../table.ts';
import type { CompilersAction } from './compilers.ts';

/** A line of the list: language, version, kind, source. */
type Row = readonly [language: string, version: string, kind: string, source: string];

/** `ledgerlens compilers list`: what verifications can compile with, newest first; `--available`: also what could be fetched. */
export const listCompilers: CompilersAction = async ({ compilers, management }, _words, values) => {
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
