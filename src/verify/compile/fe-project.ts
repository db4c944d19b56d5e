import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../standard-json.ts';
import type { FeArtifacts } from './fe-output.ts';

type Sources = Readonly<Record<string, SourceFile>>;

const SOURCE_FOLDER = 'src/';
/** What common file systems take for one name, and comfortably less than they take for a path. Bytes. */
const LONGEST_NAME_BYTES = 255;
const LONGEST_PATH_BYTES = 1000;
const MANIFEST = '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n';
const CONTRACT_NAME = /^[A-Za-z_][0-9A-Za-z_]{0,200}$/;

/**
 * Says why source paths cannot be written below a project folder.
 *
 * @returns a sentence naming the first wrong path, or null when all are fine.
 * @see contracts/verification-engine.md section 5, "Safety"
 */
export function feSourcePathProblem(paths: readonly string[]): string | null {
  const folders = new Set(paths.flatMap((path) => parentsOf(path)));
  for (const path of paths) {
    const reason = pathProblem(path) ?? (folders.has(path) ? 'is a folder of another source too' : null);
    if (reason !== null) return `The Fe source path ${JSON.stringify(path.slice(0, 60))} ${reason}.`;
  }
  return null;
}

/**
 * Writes a project: the manifest and all sources.
 *
 * @throws Error when a path is not fit for that; `feSourcePathProblem` tells before.
 */
export async function writeFeProject(folder: string, sources: Sources): Promise<void> {
  const problem = feSourcePathProblem(Object.keys(sources));
  if (problem !== null) throw new Error(problem);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'fe.toml'), MANIFEST);
  for (const [path, { content }] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Reads what the compiler wrote about one contract; members are null where there is no file. */
export async function readFeArtifacts(folder: string, contract: string): Promise<FeArtifacts> {
  if (!CONTRACT_NAME.test(contract)) return { creation: null, runtime: null, abi: null };
  const read = (ending: string) => readIfPresent(join(folder, 'out', `${contract}.${ending}`));
  const [creation, runtime, abi] = [await read('bin'), await read('runtime.bin'), await read('abi.json')];
  return { creation, runtime, abi };
}

function pathProblem(path: string): string | null {
  if (!path.startsWith(SOURCE_FOLDER)) return `must begin with "${SOURCE_FOLDER}"`;
  if (path.includes('\\') || path.includes('\0')) return 'must not hold a backslash or a NUL';
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) {
    return 'must not hold an empty name, "." or ".."';
  }
  const isTooLong = names.some((name) => Buffer.byteLength(name) > LONGEST_NAME_BYTES);
  return isTooLong || Buffer.byteLength(path) > LONGEST_PATH_BYTES ? 'is too long' : null;
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
