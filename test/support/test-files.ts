import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = /^(node_modules|dist|data|\.git|test-artifacts|generated)$/;

/** Every file of the checkout, with or without git, by its path from the root: what `.gitignore` names is left out. */
export function projectFiles(folder = ''): readonly string[] {
  return readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? projectFiles(path) : [path];
  });
}

const SOURCES: readonly string[] = ['src', 'test', 'tools'].flatMap((folder) => filesBelow(folder).sort());

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
