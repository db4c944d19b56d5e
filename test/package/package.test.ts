import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut, LEFT_TO_WORKFLOW } from '../support/left-out.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';
import { NOT_ASKED } from './missing-package.ts';

const MINUTES = 60_000;
const LIBRARY = readFileSync(fileURLToPath(new URL('./use-library.mjs', import.meta.url)), 'utf8');
const DEMO = fileURLToPath(new URL('../../src/commands/demo-contract.json', import.meta.url));

const NODES = [
  { name: 'the Node of the tests', node: null },
  { name: 'Node 24 without a compiler', node: '24.21.0' },
];
/** Compiling SQLite, as npm does it for Node 20, keeps a processor busy for a minute. */
const chosen = LEFT_TO_WORKFLOW === null ? NODES : NODES.slice(1);

describe.skipIf(isLeftOut(NOT_ASKED)).each(chosen)('the package, installed with $name', ({ node }) => {
  let installed: InstalledPackage;
  beforeAll(() => {
    installed = installPackage(node);
    // Compiling SQLite takes a minute, on a busy machine several.
  }, 10 * MINUTES);
  afterAll(() => {
    rmSync(dirname(installed.folder), { recursive: true, force: true });
  });

  test('has what runs, and neither sources nor tests nor TypeScript', () => {
    const inPackage = (path: string) => existsSync(join(installed.folder, 'node_modules/ledgerlens', path));
    expect(
      ['dist/main.js', 'dist/index.d.ts', 'migrations/sqlite', 'openapi/all.json', 'README.md'].filter(
        inPackage,
      ),
    ).toHaveLength(5);
    expect(['src', 'test', 'scripts/build-if-needed.mjs', 'dist/main.js.map'].filter(inPackage)).toEqual([]);
    expect(existsSync(join(installed.folder, 'node_modules/typescript'))).toBe(false);
    expect(['bundled/licences.txt', 'index.d.ts'].filter((path) => inPackage(`dist/${path}`))).toHaveLength(
      2,
    );
    expect(inPackage('licences/GPL-3.0.txt')).toBe(true);
  });

  test('installs without a warning about an engine or a peer', () => {
    expect(installed.log).not.toMatch(/EBADENGINE|ERESOLVE/);
  });

  test('takes at most 160 MB, on the disk and as the sum of its files', () => {
    const megabytes = (...options: readonly string[]) =>
      Number.parseInt(installed.run('du', ['-sm', ...options, '.']), 10);
    const sizes = [megabytes(), megabytes('--apparent-size')];
    console.log(`${sizes[0]} MB on the disk, ${sizes[1]} MB of files`);
    expect(Math.min(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(160);
  });

  test('has the bundled compilers, none of which is to be fetched', () => {
    const list = installed.run('npx', ['--no-install', 'ledgerlens', 'compilers', 'list']);
    const versions = [...list.matchAll(/^solc +(\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
    expect(versions).toEqual(['0.8.37', '0.8.30', '0.7.6', '0.6.12', '0.5.17', '0.4.26']);
    expect(existsSync(join(installed.folder, 'node_modules/solc-0.8.30'))).toBe(false);
  });

  test('loads its bundled modules', () => {
    const modules = ['abi-parameters.js', 's3-client.js', 'rlp.js'];
    const script = modules.map((module) => `await import('./node_modules/ledgerlens/dist/${module}');`);
    const loaded = installed.run('node', [
      '--input-type=module',
      '-e',
      `${script.join('')} console.log('loaded')`,
    ]);
    expect(loaded).toContain('loaded');
  });

  test('keeps compiled code for the next start where Node can and the folder may be written', () => {
    const caches = join(installed.folder, 'caches');
    mkdirSync(caches);
    const help = (folder: string) =>
      installed.run('env', [
        `XDG_CACHE_HOME=${folder}`,
        'npx',
        '--no-install',
        'ledgerlens',
        'check',
        '--help',
      ]);
    expect(help(join(caches, 'kept'))).toContain('ledgerlens check');
    expect(readdirSync(caches)).toEqual(node === null ? [] : ['kept']);
    expect(help(join(installed.folder, 'package.json'))).toContain('ledgerlens check');
  });

  test('serves by npx, with its data in the folder where it was started', async () => {
    const server = installed.start('npx', ['--no-install', 'ledgerlens', 'serve'], { PORT: '0' });
    try {
      let log = '';
      const url = await new Promise<string>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          log += chunk.toString();
          const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(log)?.[0];
          if (found !== undefined) resolve(found);
        };
        server.stdout?.on('data', read);
        server.stderr?.on('data', read);
        server.once('exit', () => reject(new Error(log)));
      });
      for (const path of ['/api/v2/summary.json', '/docs/openapi/all.json'])
        expect((await fetch(url + path)).status).toBe(200);
      expect(existsSync(join(installed.folder, 'data/ledgerlens.sqlite'))).toBe(true);
    } finally {
      const ended = server.exitCode === null ? once(server, 'exit') : null;
      if (ended !== null) process.kill(-(server.pid ?? 0), 'SIGTERM');
      await ended;
    }
  });

  test('starts by import: verifies a contract, loads a fixture, resets, stops', () => {
    writeFileSync(join(installed.folder, 'use-library.mjs'), LIBRARY);
    const answer: unknown = JSON.parse(
      installed.run('node', ['use-library.mjs', DEMO]).split('\n').at(-2) ?? '',
    );
    expect(answer).toEqual({ match: 'exact_match', account: 200, afterReset: 404 });
  });
});
