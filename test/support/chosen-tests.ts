import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFiles } from './test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The tests that `TEST_BACKEND` does not change, by their paths from the root: they do not import what reads it. */
export function testsAlikeOnBackends(): readonly string[] {
  const chooses = importing('test/support/tested-backend.ts');
  return testFiles().filter((path) => path.endsWith('.sqlite.test.ts') || !chooses(path));
}

/** The tests without a suite that needs the shared folder. */
export function testsWithoutSharedData(): readonly string[] {
  const needs = importing('test/support/shared-suites.ts');
  return testFiles().filter((path) => !needs(path));
}

/** Whether a file imports the target, by itself or through others. */
function importing(target: string): (path: string) => boolean {
  const imported = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const known = imported.get(path) ?? readImports(path);
    imported.set(path, known);
    return known;
  };
  return (path) => {
    const seen = new Set([path]);
    for (const each of seen) for (const next of importsOf(each)) seen.add(next);
    return seen.has(target);
  };
}

function readImports(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  // What stands in a text is no import of the file.
  return [...text.matchAll(/^[^"'`\n]*(?:\bfrom|\bimport\(?|new URL\() ?'(\.[^']+\.ts)'/gm)].map(
    ([, target = '']) => normalize(join(dirname(path), target)),
  );
}
