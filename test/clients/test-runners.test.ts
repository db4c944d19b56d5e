import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { installPacked, packInto } from '../support/packed-package.ts';
import { cleanEnvironment, ensureBuilt } from '../support/serve-process.ts';
import { missingProgram } from './missing-program.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = `${ROOT}test/clients/test-runners/`;
const INSTALLED = `${FOLDER}node_modules`;
const missing = missingProgram('Jest and Testcontainers', existsSync(`${INSTALLED}/testcontainers`));
const scratch = mkdtempSync(join(tmpdir(), 'ledgerlens-runners-'));

/** A folder as a user has it: the example, and the packages that it names. */
function folderOf(example: string, packages: Readonly<Record<string, string>>): string {
  const folder = join(scratch, example);
  cpSync(`${ROOT}examples/${example}`, folder, { recursive: true });
  for (const [name, from] of Object.entries(packages)) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(from, join(folder, 'node_modules', name));
  }
  return folder;
}

/** What the image sets, apart from where it keeps things. */
function imageEnvironment(): Record<string, string> {
  const lines = [...readFileSync(`${ROOT}Dockerfile`, 'utf8').matchAll(/\b(HOST|PORT|NODE_ENV)=(\S+)/g)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
}

const versionOf = (name: string) =>
  JSON.parse(readFileSync(`${INSTALLED}/${name}/package.json`, 'utf8')).version;
const neededBy = (example: string) =>
  JSON.parse(readFileSync(`${ROOT}examples/${example}/package.json`, 'utf8')).devDependencies;

describe.skipIf(isLeftOut(missing))('the examples for other test runners', () => {
  beforeAll(ensureBuilt);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const environment = (more: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(cleanEnvironment(more)).filter(([name]) => !/^(VITEST|TEST_|JEST_)/.test(name)),
    );

  test('name versions that were tried', () => {
    expect(neededBy('jest')).toMatchObject({
      jest: versionOf('jest'),
      '@jest/globals': versionOf('@jest/globals'),
    });
    expect(neededBy('testcontainers')).toMatchObject({ testcontainers: versionOf('testcontainers') });
  });

  test('Jest passes', async () => {
    const folder = folderOf('jest', {
      jest: `${INSTALLED}/jest`,
      '@jest/globals': `${INSTALLED}/@jest/globals`,
    });
    installPacked(join(scratch, packInto(scratch)), folder);
    const { stderr } = await run(process.execPath, [`${INSTALLED}/jest/bin/jest.js`], {
      cwd: folder,
      env: environment({ NODE_OPTIONS: '--experimental-vm-modules' }),
    });
    expect(stderr).toContain('3 passed, 3 total');
  });

  test('Testcontainers takes its calls, and the program of the image does what they ask for', async () => {
    const folder = folderOf('testcontainers', { vitest: `${ROOT}node_modules/vitest` });
    const types = ['--allowJs', '--checkJs', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
    const modules = ['--module', 'nodenext', '--types', 'node', '--typeRoots', `${ROOT}node_modules/@types`];
    const library = join(folder, 'node_modules/testcontainers');
    symlinkSync(`${INSTALLED}/testcontainers`, library);
    const compiled = await run(
      process.execPath,
      [
        `${INSTALLED}/typescript/bin/tsc`,
        ...types,
        '--noImplicitAny',
        'false',
        ...modules,
        'ledgerlens.test.js',
      ],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');

    rmSync(library);
    mkdirSync(library);
    cpSync(`${FOLDER}stand-in.mjs`, join(library, 'index.mjs'));
    cpSync(`${FOLDER}stand-in.json`, join(library, 'package.json'));
    const { stdout } = await run(process.execPath, [`${ROOT}node_modules/vitest/vitest.mjs`, 'run'], {
      cwd: folder,
      env: environment({
        IMAGE_ENVIRONMENT: JSON.stringify(imageEnvironment()),
        IMAGE_PROGRAM: `${ROOT}dist/main.js`,
        LEDGERLENS_IMAGE: 'ledgerlens:test',
      }),
    });
    expect(stdout).toContain('2 passed');
  });
});
