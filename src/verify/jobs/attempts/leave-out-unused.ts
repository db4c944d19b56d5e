import type { Compiler } from '../../compile/compiler.ts';
import { pickUsed } from '../../match/used-sources.ts';
import { type CompilableSource, compileWithin, hasSameCode } from './attempt-compilation.ts';
import type { AttemptContext } from './attempt-context.ts';
import { type CompileAttempt, compareWithChain } from './compare-with-chain.ts';
import { provenBefore } from './prove-auxdata.ts';

/**
 * Leaves the files out of a match that the contract does not need, if the compiler gives the same code without them.
 *
 * They shift the ids of the syntax tree, which some versions let into the code, so the compiler decides. Everything that
 * is shown then comes from the compilation without them. Nothing is compiled when all files are needed.
 *
 * @see contracts/verification-engine.md section 8
 */
export async function leaveOutUnused(
  { budget, onchain, progress }: AttemptContext,
  compiler: Compiler,
  source: CompilableSource,
  attempt: CompileAttempt,
): Promise<CompileAttempt> {
  if (attempt.kind === 'failed' || attempt.refusal !== null) return attempt;
  const { auxdata, compilation, milliseconds } = attempt;
  const { compilerKind, input, metadata, scope = 'all' } = compilation;
  const sources = pickUsed(input.sources, metadata);
  if (Object.keys(sources).length === Object.keys(input.sources).length) return attempt;
  const needed = {
    ...source,
    input: { ...input, sources },
    ...(compilerKind === undefined ? {} : { compilerKind }),
  };
  const outcome = await compileWithin(budget, compiler, needed, scope, progress.signal);
  if (outcome.kind === 'failed' || !hasSameCode(compilation, outcome.compilation)) return attempt;
  const again = await compareWithChain(
    outcome.compilation,
    onchain,
    () => provenBefore(auxdata),
    milliseconds,
  );
  return again.kind === 'compared' && again.refusal === null ? again : attempt;
}
