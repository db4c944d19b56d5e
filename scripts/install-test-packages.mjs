// Installs the packages of test/package.json unless test/node_modules is already what its lock names. vitest.config.ts
// imports this file; package scripts that use these packages without vitest run it first.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test/', import.meta.url));
const lock = readFileSync(`${folder}package-lock.json`, 'utf8');
/** The lock that was installed; npm's own note of it changes with `npm install --package-lock-only` as well. */
const installedLock = `${folder}node_modules/.installed-lock.json`;

if (!existsSync(installedLock) || readFileSync(installedLock, 'utf8') !== lock) {
  console.error('Installing the packages of the tests: npm ci in test/ (about 500 MB)');
  const { status, error } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error(
      `The packages of the tests are not installed: ${error?.message ?? 'npm reports why above'}`,
    );
    process.exit(1);
  }
  writeFileSync(installedLock, lock);
}
