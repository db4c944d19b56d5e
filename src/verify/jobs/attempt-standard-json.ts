import type { Compiler } from '../compile/compiler.ts';
import { isShortVersion } from '../compile/compiler-version.ts';
import { failure, type JobErrorCode } from '../job-failure.ts';
import { MatchingError } from '../match/matching-error.ts';
import type { AttemptContext } from './attempt-context.ts';
import type { CompileAttempt } from './compare-with-chain.ts';
import { attemptCompilation, type CompilableSource } from './compile-attempt.ts';
import { preferOriginalSources } from './prefer-original-sources.ts';

/** Refusals that known compiler bugs can cause when only the target contract is asked for. */
const WORTH_ANOTHER_SELECTION: ReadonlySet<JobErrorCode> = new Set([
  'no_match',
  'bytecode_length_mismatch',
  'extra_file_input_bug',
]);

/**
 * Compiles standard JSON and compares it with the chain.
 *
 * Repeats with the whole output selection when nothing matches, and with other line ends when only the
 * metadata hash differs.
 *
 * @see contracts/verification-engine.md sections 1, 2.1 and 9.3
 */
export async function attemptStandardJson(
  context: AttemptContext,
  source: CompilableSource,
): Promise<CompileAttempt> {
  const { progress } = context;
  progress.enter('compiling');
  try {
    const compiler = context.compilers[source.input.language];
    const attempt = await attemptTwice(context, compiler, source);
    if (attempt.kind === 'failed') return attempt;
    const { version } = attempt.compilation.compiler;
    if (isShortVersion(source.compilerVersion) && version !== source.compilerVersion) {
      progress.warn(`The compiler version ${source.compilerVersion} was taken as ${version}.`);
    }
    return await preferOriginalSources(context, compiler, source, attempt);
  } catch (error) {
    // Code that contradicts its own link references cannot be compared with anything.
    if (error instanceof MatchingError) {
      return { kind: 'failed', failure: failure('no_match'), milliseconds: 0 };
    }
    throw error;
  }
}

async function attemptTwice(
  { onchain, budget, progress }: AttemptContext,
  compiler: Compiler,
  source: CompilableSource,
): Promise<CompileAttempt> {
  const first = await attemptCompilation(compiler, source, 'target', onchain, budget, progress);
  if (first === null) throw new Error('A first compilation is always compared');
  if (first.kind === 'failed' || first.refusal === null) return first;
  if (!WORTH_ANOTHER_SELECTION.has(first.refusal.code)) return first;
  const { creation, runtime } = first.compilation;
  const second = await attemptCompilation(
    compiler,
    source,
    'all',
    onchain,
    budget,
    progress,
    (compilation) => {
      const isSame = compilation.creation.object === creation.object;
      return !isSame || compilation.runtime.object !== runtime.object;
    },
  );
  return second === null || second.kind === 'failed' ? first : second;
}
