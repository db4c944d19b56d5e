import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tarOf } from '../kit/verify/tar-of.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/install-test-packages.mjs', import.meta.url));
let project = '';
const inTests = (path: string) => join(project, 'test', path);

/** A project whose tests need one package, which comes from a file. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'test-packages-'));
  for (const folder of ['scripts', 'test']) mkdirSync(join(project, folder));
  cpSync(SCRIPT, join(project, 'scripts/install-test-packages.mjs'));
  release('1.0.0');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Packs a version of the package, and names it in manifest and lock. */
function release(version: string): void {
  const file = `one-${version}.tgz`;
  const tarball = gzipSync(tarOf({ 'package/package.json': JSON.stringify({ name: 'one', version }) }));
  writeFileSync(join(project, file), tarball);
  const resolved = `file:../${file}`;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dependencies = { one: resolved };
  const packages = { '': { dependencies }, 'node_modules/one': { version, resolved, integrity } };
  writeFileSync(inTests('package.json'), JSON.stringify({ dependencies }));
  writeFileSync(inTests('package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
}

function install(path = process.env['PATH']) {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/install-test-packages.mjs'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  return { status, stdout, stderr };
}
const installed = () =>
  JSON.parse(readFileSync(inTests('node_modules/one/package.json'), 'utf8')).version as string;
const QUIET = { status: 0, stdout: '', stderr: '' };
const INSTALLED = {
  status: 0,
  stdout: '',
  stderr: expect.stringMatching(/^Installing the packages of the tests.*\n$/),
};

test('installs the packages of the tests once, and reports it in one line', () => {
  expect(install()).toEqual(INSTALLED);
  expect(installed()).toBe('1.0.0');
  // Without a PATH npm could not start.
  expect(install('')).toEqual(QUIET);
});

test('installs them again after a change of the lock, and after an interrupted installation', () => {
  release('1.0.1');
  expect(install()).toEqual(INSTALLED);
  expect(installed()).toBe('1.0.1');
  rmSync(inTests('node_modules/.installed-lock.json'));
  expect(install()).toEqual(INSTALLED);
  expect(install('')).toEqual(QUIET);
});

test('fails with the cause', () => {
  release('1.0.2');
  const withoutNpm = install('');
  expect(withoutNpm.status).toBe(1);
  expect(withoutNpm.stderr).toContain('The packages of the tests are not installed: spawnSync npm ENOENT');
  writeFileSync(inTests('package.json'), JSON.stringify({ dependencies: { one: 'file:../missing.tgz' } }));
  const withoutFile = install();
  expect(withoutFile.status).toBe(1);
  expect(withoutFile.stderr).toMatch(/ENOENT.*missing\.tgz[\s\S]*not installed: npm reports why above\n$/);
});
