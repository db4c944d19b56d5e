import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFiles } from './test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHOICE = 'test/support/tested-backend.ts';
/** They name their databases, or take each. */
const OWN = /\.(postgres|sqlite)\.test\.ts$|^test\/contracts\//;

/** The tests that `TEST_BACKEND` does not change, by their paths from the root: they do not import what reads it. */
export function testsAlikeOnBackends(): readonly string[] {
  const imported = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const known = imported.get(path) ?? readImports(path);
    imported.set(path, known);
    return known;
  };
  return testFiles().filter((path) => {
    if (OWN.test(path)) return true;
    const seen = new Set([path]);
    for (const each of seen) for (const next of importsOf(each)) seen.add(next);
    return !seen.has(CHOICE);
  });
}

function readImports(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(?|new URL\() ?'(\.[^']+\.ts)'/g)].map(([, target = '']) =>
    normalize(join(dirname(path), target)),
  );
}
