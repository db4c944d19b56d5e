import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { version: string; resolved?: string; gypfile?: boolean }>;
};
const declared = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((group) =>
  Object.entries(manifest[group] ?? {}),
);

describe('the manifest', () => {
  test('names exact versions', () => {
    expect(declared.length).toBeGreaterThan(30);
    for (const [name, version] of declared) expect(version, name).toMatch(/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+$/);
  });

  test('gives a reason for every package', () => {
    const reasons = read('docs/dependencies.md');
    for (const [name] of declared) expect(reasons, name).toContain(name);
  });
});

describe('the lock file', () => {
  test('names no download address', () => {
    for (const [path, { resolved }] of Object.entries(lock.packages)) {
      expect(resolved === undefined || !resolved.startsWith('http'), path).toBe(true);
    }
  });

  test('keeps npm from compiling the SQLite driver that brings its binaries ("npm run lock" writes this)', () => {
    expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
  });
});
