import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SOURCES: readonly string[] = ['src', 'test'].flatMap((folder) => filesBelow(folder).sort());

/** TypeScript files, without those of packages, which are many times as many. */
function filesBelow(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

/** Every test of the project, by its path from the root. */
export function testFiles(): readonly string[] {
  return SOURCES.filter((path) => path.endsWith('.test.ts'));
}

/** Tests and what they are made of, by their paths from the root; benchmarks assert nothing. */
export function testSources(): readonly string[] {
  return SOURCES.filter((path) => /\.test\.ts$|^test\/(?!bench\/)/.test(path));
}
