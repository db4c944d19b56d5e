import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
/** The project, its tests, and the client programs, each with a manifest of their own. */
const FOLDERS = ['', 'test/', 'test/clients/foundry/', 'test/clients/hardhat/', 'test/clients/hardhat-2/'];
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

  test('lets npm fetch and compile only the SQLite driver of its Node ("npm run lock" writes this)', () => {
    const { packages } = readLock('');
    expect(packages['node_modules/better-sqlite3']).toMatchObject({
      engines: { node: '>=22' },
      gypfile: false,
    });
    // Node-API 10, which decides in src/storage/sqlite-driver.ts, came with 22.14 and 23.6.
    expect(packages['node_modules/better-sqlite3-legacy']?.engines?.node).toBe('<22.14 || >=23 <23.6');
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

  test('needs no overrides, which npm obeys in this repository alone', () => {
    expect(JSON.parse(read('package.json'))).not.toHaveProperty('overrides');
  });
});

test('tests and sources import the same copy of a package: those for tests alone bring no other to the top', () => {
  const top = Object.keys(readLock('test/').packages).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? [],
  );
  const { dependencies } = JSON.parse(read('test/package.json')) as { dependencies: Record<string, string> };
  expect(top.toSorted()).toEqual(Object.keys(dependencies).toSorted());
  const { packages } = readLock('');
  expect(top.filter((name) => `node_modules/${name}` in packages)).toEqual([]);
});

test.each(['', 'test/'])(
  'npm ci warns about nothing on Node 20: no package wants a newer one, none is deprecated (%s)',
  (folder) => {
    const warned = Object.entries(readLock(folder).packages).filter(
      ([, { engines, optional, deprecated }]) =>
        // An optional package that does not fit is left out in silence.
        (optional !== true && /^>= ?2[1-9]/.test(engines?.node ?? '')) || deprecated !== undefined,
    );
    expect(warned.map(([path]) => path)).toEqual([]);
  },
);
