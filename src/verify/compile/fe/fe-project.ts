import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../../standard-json.ts';
import type { FeArtifacts } from '../output/fe-output.ts';
import { feSourcePathProblem } from './fe-source-paths.ts';

type Sources = Readonly<Record<string, SourceFile>>;

const MANIFEST = '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n';
const CONTRACT_NAME = /^[A-Za-z_][0-9A-Za-z_]{0,200}$/;

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

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
