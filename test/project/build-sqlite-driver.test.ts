import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tarOf } from '../kit/verify/tar-of.ts';

const SCRIPT = 'scripts/build-sqlite-driver.mjs';
const NAME = 'better-sqlite3-legacy';
const BINARY = 'build/Release/better_sqlite3.node';
const PARTS = ['MAJOR', 'MINOR', 'PATCH'];
let project = '';
let programs = '';

/** A checkout whose driver is built by the file `build`. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'sqlite-driver-'));
  for (const folder of ['scripts', 'programs']) mkdirSync(join(project, folder));
  cpSync(fileURLToPath(new URL(`../../${SCRIPT}`, import.meta.url)), join(project, SCRIPT));
  const driver = { name: NAME, version: '1.0.0', scripts: { install: `. ${join(project, 'build')}` } };
  const tarball = gzipSync(
    tarOf({
      'package/package.json': JSON.stringify(driver),
      // What is not built does not open.
      'package/index.js': `require('node:fs').readFileSync(__dirname + '/${BINARY}');
        module.exports = class { close() {} };`,
    }),
  );
  writeFileSync(join(project, 'driver.tgz'), tarball);
  const manifest = {
    scripts: { prepare: `node ${SCRIPT}` },
    optionalDependencies: { [NAME]: `file:${join(project, 'driver.tgz')}` },
    allowScripts: { [`file:${join(project, 'driver.tgz')}`]: false },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  programs = join(project, 'programs');
  for (const name of ['python3', 'make', 'g++']) writeFileSync(join(programs, name), '');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const environment = (more: Readonly<Record<string, string>>) => {
  const { CXX: _, ...inherited } = process.env;
  return { ...inherited, ...more };
};

/** Installs as `npm ci` does. */
function install(exitCode: number, ...options: string[]) {
  writeFileSync(
    join(project, 'build'),
    `mkdir -p build/Release && echo "$npm_config_nodedir $JOBS $CFLAGS" >> ${BINARY}; exit ${exitCode}\n`,
  );
  rmSync(join(project, 'node_modules'), { recursive: true, force: true });
  const { status, stderr } = spawnSync('npm', ['install', '--no-package-lock', '--offline', ...options], {
    cwd: project,
    encoding: 'utf8',
    env: environment({ PATH: [programs, process.env['PATH']].join(delimiter) }),
  });
  return { status, stderr };
}

test('npm fails when the driver was not built, and reports it', () => {
  const { status, stderr } = install(1);
  expect(status).toBe(1);
  expect(stderr).toContain('The SQLite driver could not be built.');
});

test('the driver is built once, on all processors and as SQLite is usually compiled', () => {
  install(0);
  spawnSync(process.execPath, [SCRIPT], { cwd: project });
  const built = readFileSync(join(project, `node_modules/${NAME}/${BINARY}`), 'utf8');
  expect(built).toMatch(/^\S* max -O2 .*-USQLITE_ENABLE_FTS5\b.*\n$/);
});

test.each([
  ['the driver was built', 0, []],
  ['optional packages are left out on purpose', 1, ['--omit=optional']],
  ['scripts are', 1, ['--ignore-scripts']],
] as const)('npm succeeds when %s', (_, exitCode, options) => {
  const { status, stderr } = install(exitCode, ...options);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('SQLite')]);
});

/** Without a driver. */
function check(node: string, path: string): string {
  rmSync(join(project, 'node_modules'), { recursive: true, force: true });
  const { status, stderr } = spawnSync(node, [SCRIPT], {
    cwd: project,
    encoding: 'utf8',
    env: environment({ PATH: path }),
  });
  expect(status).toBe(1);
  return stderr;
}

test('the message names the programs that are missing', () => {
  expect(check(process.execPath, '')).toContain('Not found: python3, make, g++. Install what is missing');
});

test('the message says where the headers of Node come from', () => {
  expect(check(process.execPath, programs)).toContain('set npm_config_nodedir to a folder');
});

test.each([
  [process.versions.node, 'those of this version beside Node', (prefix: string) => prefix],
  ['20.0.0', 'none of another version', () => ''],
])('of headers of %s, the build uses %s', (version, _, wanted) => {
  const prefix = join(project, `node-${version}`);
  const node = join(prefix, 'bin/node');
  const headers = join(prefix, 'include/node');
  for (const folder of [dirname(node), headers]) mkdirSync(folder, { recursive: true });
  cpSync(process.execPath, node);
  const parts = version.split('.').map((part, at) => `#define NODE_${PARTS[at]}_VERSION ${part}\n`);
  writeFileSync(join(headers, 'node_version.h'), parts.join(''));
  install(0);
  rmSync(join(project, `node_modules/${NAME}/build`), { recursive: true });
  const { npm_config_nodedir: _given, ...env } = environment({
    npm_config_userconfig: join(project, 'none'),
  });
  const { status } = spawnSync(node, [SCRIPT], { cwd: project, env });
  const built = readFileSync(join(project, `node_modules/${NAME}/${BINARY}`), 'utf8');
  expect([status, built.split(' ')[0]]).toEqual([0, wanted(prefix)]);
});
