import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '../support/test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Whose exports are for others: the package's door. */
const DOORS = ['src/index.ts'];

/** Code that only tests run, and why it stays beside what it looks into. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  'src/values/clock.ts ManualClock': 'the clock that stands still, for the tests of every folder',
  'src/storage/postgres/postgres-sql.ts preparedTexts':
    'statements that a process has prepared, for their plans',
  'src/mirror/fees/pricing/transaction-prices.ts pricedMembers': 'the names in a table that stays private',
};

interface Source {
  readonly path: string;
  readonly text: string;
}

interface Export {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
  /** How often the file itself says it, its definition included. */
  readonly mentions: number;
}

const isTest = (path: string): boolean => path.startsWith('test/') || path.endsWith('.test.ts');
const isSource = (path: string): boolean => path.startsWith('src/') && !isTest(path);

/** Names in braces, as the other file calls them: `type A, b as c`. */
function named(list: string, side: 'theirs' | 'ours'): readonly string[] {
  return list
    .split(',')
    .map((part) =>
      part
        .trim()
        .replace(/^type /, '')
        .split(' as '),
    )
    .map((names) => (side === 'theirs' ? names[0] : names.at(-1)) ?? '')
    .filter((name) => name !== '');
}

function exportsOf({ path, text }: Source): readonly Export[] {
  const mentions = (name: string) => [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length;
  const defined = text.matchAll(
    /^export (?:declare |async |abstract )*(function\*?|const|let|class|interface|type) (\w+)/gm,
  );
  const passedOn = text.matchAll(/^export (type )?\{([^}]*)\}/gm);
  return [
    ...[...defined].map(([, kind = '', name = '']) => ({
      path,
      name,
      isType: kind === 'interface' || kind === 'type',
      mentions: mentions(name),
    })),
    ...[...passedOn].flatMap(([, , list = '']) =>
      named(list, 'ours').map((name) => ({ path, name, isType: true, mentions: 2 })),
    ),
  ];
}

/** Who takes each export: `path name`, or `path *` for all of a file. */
function takersOf(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const takers = new Map<string, Set<string>>();
  const take = (by: string, target: string, name: string) => {
    const key = `${normalize(join(dirname(by), target))} ${name}`;
    takers.set(key, (takers.get(key) ?? new Set()).add(by));
  };
  for (const { path, text } of sources) {
    for (const [, what = '', target = ''] of text.matchAll(
      /^(?:import|export) ([^;'"]*?)\s*from '(\.[^']+)'/gm,
    )) {
      if (what.includes('*')) take(path, target, '*');
      for (const name of named(/\{([^}]*)\}/.exec(what)?.[1] ?? '', 'theirs')) take(path, target, name);
    }
    for (const [, target = ''] of text.matchAll(/\bimport\('(\.[^']+)'\)/g)) take(path, target, '*');
  }
  return takers;
}

function findExports(sources: readonly Source[]) {
  const takers = takersOf(sources);
  const all = sources.filter(({ path }) => isSource(path) && !DOORS.includes(path)).flatMap(exportsOf);
  const takersOfOne = ({ path, name }: Export) => [
    ...(takers.get(`${path} ${name}`) ?? []),
    ...(takers.get(`${path} *`) ?? []),
  ];
  const print = (found: readonly Export[]) => found.map(({ path, name }) => `${path} ${name}`);
  return {
    count: all.length,
    unused: print(all.filter((one) => takersOfOne(one).length === 0)),
    forTests: print(all.filter((one) => !one.isType && one.mentions === 1 && takersOfOne(one).every(isTest))),
  };
}

const checked = findExports(
  projectFiles()
    .filter((path) => /^(src|test|tools|scripts|examples)\/.*\.m?ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') })),
);

describe('exports', () => {
  test('are found, with who takes them', () => {
    const found = findExports([
      {
        path: 'src/a.ts',
        text: "export const one = 1;\nexport type Two = 2;\nexport { three } from './b.ts';\n",
      },
      { path: 'src/b.ts', text: 'export function three() {}\nexport class Four {}\nexport let five;\n' },
      {
        path: 'src/c.ts',
        text: "import { one as uno,\n  type Two } from './a.ts';\nawait import('./d.ts');\n",
      },
      { path: 'src/d.ts', text: 'export interface Six {}\n' },
      { path: 'src/b.test.ts', text: "import { Four } from './b.ts';\n" },
    ]);
    expect(found).toEqual({
      count: 7,
      unused: ['src/a.ts three', 'src/b.ts five'],
      forTests: ['src/b.ts Four', 'src/b.ts five'],
    });
    expect(checked.count).toBeGreaterThan(1000);
  });

  test('are imported somewhere', () => {
    expect(checked.unused).toEqual([]);
  });

  test('are run by the product, not by tests alone', () => {
    expect(checked.forTests.filter((one) => !(one in FOR_TESTS))).toEqual([]);
  });
});
