import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '../../model/job-failure.ts';
import type { SourceFile } from '../../standard-json.ts';
import { failedAtOnce, type NativeCompilerParts, toOutcome } from '../compile-outcome.ts';
import type { Compiler } from '../compiler.ts';
import { judgeFeVersion, MINIMUM_FE } from '../compiler-version.ts';
import type { FeArtifacts } from '../output/fe-output.ts';
import { findCompiler } from '../supply/find-compiler.ts';
import { feSourcePathProblem } from './fe-source-paths.ts';

const PROJECT_FOLDER = 'project';

/**
 * Compiles Fe: writes a project into a private folder, builds it there and reads what was written.
 *
 * @see contracts/verification-engine.md section 5
 */
export function createFeCompiler(parts: NativeCompilerParts): Compiler {
  return {
    async compile(request) {
      const { input, target, version } = request;
      const support = judgeFeVersion(version);
      if (support === 'invalid') return failedAtOnce(failure('invalid_compiler_version'));
      if (support === 'unsupported') {
        const data = { compilerVersion: version, minimum: MINIMUM_FE };
        return failedAtOnce(failure('unsupported_compiler_version', data));
      }
      // Submissions are refused for this already; here it protects the disk whatever the input came from.
      const compilerErrorMessage = feSourcePathProblem(Object.keys(input.sources));
      if (compilerErrorMessage !== null) {
        return failedAtOnce(failure('compiler_error', { compilerErrorMessage }));
      }
      const found = await findCompiler(parts.catalog, { language: 'fe', version }, request);
      if (found.kind === 'missing') return failedAtOnce(found.failure);
      const { executable } = found;
      const project = (folder: string) => join(folder, PROJECT_FOLDER);
      const result = await parts.runner.run(
        {
          path: executable.path,
          arguments: (folder) => ['build', project(folder)],
          stdin: '',
          prepare: (folder) => writeFeProject(project(folder), input.sources),
          async read({ exitCode, stderr }, folder) {
            if (exitCode !== 0) return { kind: 'errors', errors: [toCompilerError(stderr, project(folder))] };
            const artifacts = await readFeArtifacts(project(folder), target.name);
            const output = { compiler: 'fe', artifacts, input, target, version } as const;
            return parts.reader(output, request.signal);
          },
        },
        request,
      );
      return toOutcome(result, request, 'fe', executable, parts);
    },
  };
}

/** The paths that the user knows, not those of the private folder. */
function toCompilerError(stderr: string, folder: string): object {
  const text = stderr.replaceAll(`${folder}/`, '').trim() || 'The compiler failed without a message';
  return {
    component: 'general',
    formattedMessage: text,
    message: text,
    severity: 'error',
    type: 'CompilerError',
  };
}

type Sources = Readonly<Record<string, SourceFile>>;

const MANIFEST = '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n';
const CONTRACT_NAME = /^[A-Za-z_][0-9A-Za-z_]{0,200}$/;

/**
 * Writes a project: the manifest and all sources.
 *
 * @throws Error when a path is not fit for that; `feSourcePathProblem` tells before.
 */
async function writeFeProject(folder: string, sources: Sources): Promise<void> {
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
async function readFeArtifacts(folder: string, contract: string): Promise<FeArtifacts> {
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
