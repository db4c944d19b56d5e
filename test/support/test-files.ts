import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SOURCES: readonly string[] = ['src', 'test'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .sort(),
);

/** Every test of the project, by its path from the root. */
export function testFiles(): readonly string[] {
  return SOURCES.filter((path) => path.endsWith('.test.ts'));
}

/** Tests and what they are made of, by their paths from the root; benchmarks assert nothing. */
export function testSources(): readonly string[] {
  return SOURCES.filter((path) => /\.test\.ts$|\/testing\/|^test\/(?!bench\/)/.test(path));
}
