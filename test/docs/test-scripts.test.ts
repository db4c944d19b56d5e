import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testFiles } from '../support/test-files.ts';

/** A script that finds no test fails only when somebody runs it, which for the long ones is seldom. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as {
  scripts: Readonly<Record<string, string>>;
};
const runs = Object.entries(scripts).flatMap(([name, script]) => {
  // Up to the next command of the shell.
  const options = /\bvitest run ([^;|&]+)/.exec(script)?.[1];
  return options === undefined ? [] : [[name, options] as const];
});

/** Every test with the project that has it. */
const listed = listOf('all');

/** @param testSet `TEST_SET` */
function listOf(testSet: string): { readonly project: string; readonly path: string }[] {
  const env = { ...process.env, TEST_SET: testSet };
  return spawnSync('node_modules/.bin/vitest', ['list', '--filesOnly'], { cwd: ROOT, encoding: 'utf8', env })
    .stdout.split('\n')
    .flatMap((line) => {
      const [, project, path] = /^\[(\w+)\] (\S+\.test\.ts)$/.exec(line) ?? [];
      return project === undefined || path === undefined ? [] : [{ project, path }];
    });
}

/** As `vitest run` takes them: projects, and parts of paths of which a test has one. */
function filesOf(options: string, tests = listed): string[] {
  const projects = [...options.matchAll(/--project (\w+)/g)].map(([, name]) => name);
  const parts = options.split(/--project \w+|\s+/).filter((part) => part !== '');
  expect(parts.filter((part) => part.startsWith('-'))).toEqual([]);
  return tests
    .filter(({ project }) => projects.length === 0 || projects.includes(project))
    .map(({ path }) => path)
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)));
}

test.each(runs)('npm run %s finds its tests', (_, options) => {
  expect(filesOf(options)).not.toEqual([]);
});

test('each test belongs to a project of vitest.config.ts, and to one alone', () => {
  expect(filesOf('').toSorted()).toEqual(testFiles().toSorted());
});

/** The tests that the commands of a file run; some run twice, with another database. */
function filesRunBy(path: string, tests = listed): string[] {
  const called = [...read(path).matchAll(/\bnpm (?:run --silent )?(test(?:[\w:-]+)?)/g)].map(
    ([, name]) => name,
  );
  const options = runs.filter(([name]) => called.includes(name)).map(([, given]) => given);
  return [...new Set(options.flatMap((given) => filesOf(given, tests)))].toSorted();
}

test('the workflow runs every test', () => {
  expect(read('.github/workflows/ci.yml')).not.toContain('TEST_SET');
  expect(filesRunBy('.github/workflows/ci.yml')).toEqual(testFiles().toSorted());
});

test('.ci/run runs every test but some of the long ones, attacks, faults, clients and pages', () => {
  expect(read('.ci/run')).toContain('export TEST_SET=short\n');
  const short = listOf('short');
  const left = listed.filter(({ path }) => !short.some((test) => test.path === path));
  expect(filesRunBy('.ci/run', short)).toEqual(short.map(({ path }) => path).toSorted());
  expect([...new Set(left.map(({ project }) => project))].toSorted()).toEqual([
    'attack',
    'clients',
    'faults',
    'long',
    'pages',
  ]);
});

test('npm run test:attack -- NAME runs that attack alone', () => {
  const options = Object.fromEntries(runs)['test:attack'];
  expect(filesOf(`${options} bodies`)).toEqual(['test/attack/bodies.test.ts']);
});
