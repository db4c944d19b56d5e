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

function filesOf(options: string): string[] {
  const command = `node_modules/.bin/vitest list --filesOnly ${options}`;
  const { stdout } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
  // Each line begins with the name of the project.
  return stdout
    .split('\n')
    .filter((line) => line.endsWith('.test.ts'))
    .map((line) => line.replace(/^\[\w+\] /, ''));
}

test.each(runs)('npm run %s finds its tests', (_, options) => {
  expect(filesOf(options)).not.toEqual([]);
});

test('each test belongs to a project of vitest.config.ts, and to one alone', () => {
  expect(filesOf('').toSorted()).toEqual(testFiles().toSorted());
});

test('.ci/run runs every test', () => {
  const called = [
    'test',
    ...[...read('.ci/run').matchAll(/\bnpm run --silent ([\w:-]+)/g)].map(([, name]) => name),
  ];
  const options = runs.filter(([name]) => called.includes(name)).map(([, given]) => given);
  // Some run twice, with another database.
  expect([...new Set(options.flatMap(filesOf))].toSorted()).toEqual(testFiles().toSorted());
});

test('npm run test:attack -- NAME runs that attack alone', () => {
  const options = Object.fromEntries(runs)['test:attack'];
  expect(filesOf(`${options} bodies`)).toEqual(['test/attack/bodies.test.ts']);
});
