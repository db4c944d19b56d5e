import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
/** The project, and the client programs, which have manifests of their own. */
const FOLDERS = ['', 'test/clients/foundry/', 'test/clients/hardhat/', 'test/clients/hardhat-2/'];
const declared = FOLDERS.flatMap((folder) => {
  const manifest = JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>;
  return ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((group) =>
    Object.entries(manifest[group] ?? {}),
  );
});

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly gypfile?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly deprecated?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
const readLock = (folder: string) => JSON.parse(read(`${folder}package-lock.json`)) as Lock;

describe('the manifest', () => {
  test('names exact versions', () => {
    expect(declared.length).toBeGreaterThan(34);
    for (const [name, version] of declared)
      expect(version, name).toMatch(/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-(rc\d+|beta\.\d+))?$/);
  });

  test('gives a reason for every package', () => {
    const reasons = read('docs/dependencies.md');
    for (const [name] of declared) expect(reasons, name).toContain(name);
  });

  test('names an executable that is there before the first build and runs in any folder', () => {
    const { bin, version } = JSON.parse(read('package.json')) as {
      bin: Record<string, string>;
      version: string;
    };
    const path = bin['ledgerlens'] ?? '';
    expect(path).toMatch(/^scripts\//);
    const executable = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const { status, stdout } = spawnSync(executable, ['--version'], { cwd: tmpdir(), encoding: 'utf8' });
    expect([stdout, status]).toEqual([`${version}\n`, 0]);
  });
});

describe('the lock file', () => {
  test.each(FOLDERS)('names no download address (%s)', (folder) => {
    for (const [path, { resolved }] of Object.entries(readLock(folder).packages)) {
      expect(resolved === undefined || !resolved.startsWith('http'), path).toBe(true);
    }
  });

  test('keeps npm from compiling the SQLite driver that brings its binaries ("npm run lock" writes this)', () => {
    expect(readLock('').packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
  });
});

describe('what an operator installs', () => {
  const installed = Object.entries(readLock('').packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  );

  test('has no client program and no compiler of TypeScript', () => {
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.map(([path]) => path).filter((path) => /foundry|hardhat|typescript/.test(path))).toEqual(
      [],
    );
  });

  test('is what they get without our overrides, which npm obeys in this repository alone', () => {
    const { overrides } = JSON.parse(read('package.json')) as { overrides: Readonly<Record<string, string>> };
    const wanted = installed.flatMap(([, { dependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, range]) => `${name}@${range}`),
    );
    expect(wanted.length).toBeGreaterThan(100);
    expect(Object.keys(overrides).filter((key) => wanted.includes(key))).toEqual([]);
    // A key without a version would reach everybody who wants the package.
    for (const key of Object.keys(overrides)) expect(key).toMatch(/.@\d+\.\d+\.\d+$/);
  });
});

test('npm ci warns about nothing on Node 20: no package wants a newer one, none is deprecated', () => {
  const warned = Object.entries(readLock('').packages).filter(
    ([, { engines, optional, deprecated }]) =>
      // An optional package that does not fit is left out in silence.
      (optional !== true && /^>= ?2[1-9]/.test(engines?.node ?? '')) || deprecated !== undefined,
  );
  expect(warned.map(([path]) => path)).toEqual([]);
});
