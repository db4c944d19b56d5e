import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy: { readonly matrix: { readonly node: readonly number[] } };
        readonly steps: readonly {
          readonly run?: string;
          readonly with?: Readonly<Record<string, string>>;
        }[];
      }
    >
  >;
}
const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
const actionsOf = (text: string) => ({
  scripts: [...text.matchAll(/\bscripts\/[\w.-]+/g)].map(([path]) => path),
  runs: [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name ?? ''),
});

describe('the CI workflow', () => {
  const { scripts, runs } = actionsOf(commands.join('\n'));

  test('runs on every Node that is supported', () => {
    expect(jobs['test']?.strategy.matrix.node).toEqual([20, 22, 24]);
    expect(jobs['test']?.steps.map((step) => step.with?.['node-version'])).toContain(`\${{ matrix.node }}`);
  });

  test("has the README's test command", () => {
    const { scripts: names } = JSON.parse(read('package.json')) as {
      scripts: Readonly<Record<string, string>>;
    };
    expect(read('README.md')).toContain('npm test');
    expect(commands).toContain('npm ci && npm test');
    expect(Object.keys(names)).toContain('test');
  });

  test('names scripts that exist', () => {
    const { scripts: names } = JSON.parse(read('package.json')) as {
      scripts: Readonly<Record<string, string>>;
    };
    expect(runs.length).toBeGreaterThan(2);
    expect(scripts.length).toBeGreaterThan(2);
    const scheduled = actionsOf(read('.github/workflows/scheduled.yml')).runs;
    expect(scheduled).toContain('test:attack');
    expect([...runs, ...scheduled].filter((name) => names[name] === undefined)).toEqual([]);
    expect(scripts.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  test('has each step of .ci/run, but for those that need the shared folder or install early', () => {
    const own = actionsOf(read('.ci/run'));
    const needShared = ['test:shared', 'conformance'];
    expect(own.runs.filter((name) => !runs.includes(name))).toEqual(['pretest:clients', ...needShared]);
    expect(own.scripts.filter((path) => !scripts.includes(path))).toEqual([
      'scripts/install-test-packages.mjs',
    ]);
  });
});
