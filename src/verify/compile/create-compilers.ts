import { systemClock } from '../../values/clock.ts';
import type { Language } from '../match/compiled-code.ts';
import type { VerifySettings } from '../verify-options.ts';
import { type CompileStep, throughSteps } from './compile-steps.ts';
import type { Compiler } from './compiler.ts';
import type { CompilerCatalog, CompilerLanguage } from './compiler-catalog.ts';
import { createFeCompiler } from './fe/fe-compiler.ts';
import { type KeepOutputsParts, keepOutputs } from './reuse/keep-outputs.ts';
import { createDiskOutputCache } from './reuse/output-cache.disk.ts';
import { createMemoryOutputCache, type OutputCache } from './reuse/output-cache.ts';
import { resolveCompiler } from './reuse/resolve-compiler.ts';
import { type ShareRunsParts, shareRuns } from './reuse/share-runs.ts';
import { createSolidityCompiler, type SolidityCompilerParts } from './solidity/solidity-compiler.ts';
import { createVyperCompiler } from './vyper/vyper-compiler.ts';

/** What lies between an attempt and a compiler. */
interface CompileStepParts extends ShareRunsParts, KeepOutputsParts {
  readonly catalog: CompilerCatalog;
  /** Counts and times every run of a compiler. */
  readonly measureRuns: CompileStep;
}

/**
 * A compiler with everything that comes before it; a request goes from top to bottom, its outcome back up.
 *
 * @see docs/adr/0015-reuse-of-compilations.md
 */
export function withSteps(language: CompilerLanguage, compiler: Compiler, parts: CompileStepParts): Compiler {
  const compile = throughSteps(
    [
      // Which compiler is meant, and what the compilation is called.
      resolveCompiler(parts.catalog, language),
      // Equal requests in flight wait for one run, which ends when nobody waits for it any longer.
      shareRuns(parts),
      // What an earlier run gave is not compiled again.
      keepOutputs(parts),
      // What comes this far is a run.
      parts.measureRuns,
    ],
    (request) => compiler.compile(request),
  );
  return { compile };
}

/**
 * The compilers of jobs by language.
 *
 * At the end of the steps solc runs in a thread of the pool (WebAssembly) or as an executable, Vyper and Fe always as
 * executables; each run waits for one of the slots that all share, and has the limits of time and memory.
 */
export function createCompilers(
  parts: CompileStepParts & SolidityCompilerParts,
): Readonly<Record<Language, Compiler>> {
  const solidity = withSteps('solc', createSolidityCompiler(parts), parts);
  return {
    Solidity: solidity,
    Yul: solidity,
    Vyper: withSteps('vyper', createVyperCompiler(parts), parts),
    Fe: withSteps('fe', createFeCompiler(parts), parts),
  };
}

const BYTES_PER_MIB = 1_048_576;
const MAX_OUTPUTS_IN_MEMORY = 32 * BYTES_PER_MIB;

/** What earlier runs gave; null when nothing is to be kept. */
export function createOutputCache(
  { outputCacheDir: folder, outputCacheMiB }: VerifySettings,
  newId: () => string,
): OutputCache | null {
  const maxBytes = outputCacheMiB * BYTES_PER_MIB;
  if (maxBytes === 0) return null;
  return folder === null
    ? createMemoryOutputCache({ maxBytes: Math.min(maxBytes, MAX_OUTPUTS_IN_MEMORY) })
    : createDiskOutputCache(folder, maxBytes, systemClock, newId);
}
