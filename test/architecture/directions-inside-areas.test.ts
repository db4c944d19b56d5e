import { describe, expect, test } from 'vitest';
import { imports, sourceFiles } from './sources.ts';

/**
 * The folders of each area from below to above: one imports those of earlier lines alone. Files beside them are shared
 * by all (errors, schemas) or put them together (front doors, routes, stores).
 */
const ORDER = {
  verify: [
    ['match', 'chain'],
    ['metadata', 'proxy'],
    ['model', 'mismatch'],
    ['bodies', 'compile', 'contracts', 'decoding'],
    ['submissions', 'similarity'],
    ['jobs', 'forms'],
    ['following', 'contract-pages'],
    ['etherscan', 'version-1', 'signature-database', 'submit-pages'],
    ['body-thread'],
  ],
  status: [
    ['rules', 'text'],
    ['model'],
    ['store'],
    ['edits'],
    ['uptime'],
    ['documents'],
    ['page'],
    ['subscribers'],
    ['service', 'feeds'],
    ['manage', 'monitor'],
  ],
  mirror: [
    ['protobuf', 'evm'],
    ['vocabulary'],
    ['items'],
    ['ledger'],
    ['parameters', 'ingest'],
    ['lists'],
    ['blocks', 'network'],
    [
      'airdrops',
      'allowances',
      'balances',
      'contracts',
      'fees',
      'nfts',
      'rewards',
      'schedules',
      'hooks',
      'tokens',
      'topics',
      'transactions',
    ],
    ['accounts', 'relations'],
    ['pages'],
  ],
} as const;

describe.each(Object.entries(ORDER))('the folders of %s', (area, lines) => {
  const folderOf = (path: string): string | null => {
    const [top, folder = '', ...below] = path.split('/');
    return top === area && below.length > 0 ? folder : null;
  };
  const heightOf = new Map<string, number>(
    lines.flatMap((line, at) => line.map((name) => [name, at] as const)),
  );

  test('are all in the order', () => {
    const folders = new Set(sourceFiles.map(folderOf).filter((folder) => folder !== null));
    expect([...folders].sort()).toEqual([...heightOf.keys()].sort());
  });

  test('import those below them alone', () => {
    const upward = imports.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === null || to === null || from === to) return false;
      return (heightOf.get(to) ?? 0) >= (heightOf.get(from) ?? 0);
    });
    expect(upward.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });
});
