import type { Compiler } from '../../compile/compiler.ts';
import { splitTrailingAuxdata } from '../../match/auxdata/auxdata.ts';
import { type Grades, isBetterMatch } from '../../match/better-match.ts';
import type { SideMatches } from '../../match/verify-bytecode.ts';
import { readMetadataHash } from '../../metadata/metadata-hash.ts';
import { withContents } from '../../standard-json.ts';
import { attemptCompilation, type CompilableSource } from './attempt-compilation.ts';
import type { AttemptContext } from './attempt-context.ts';
import type { ComparedAttempt, CompileAttempt } from './compare-with-chain.ts';

/** A search beyond this is given up; the match that is known already counts. */
const MAX_SEARCH_MS = 10_000;

/**
 * When a compilation matches except for its metadata hash: compiles again with those line ends that give the
 * hash on chain. These sources are the ones that are stored then.
 *
 * Line ends change nothing but the hash, so nothing is searched for code that does not match anyway.
 *
 * @see contracts/verification-engine.md section 1 step 3 and section 9.3
 */
export async function preferOriginalSources(
  { search, onchain, budget, progress }: AttemptContext,
  compiler: Compiler,
  source: CompilableSource,
  attempt: ComparedAttempt,
): Promise<CompileAttempt> {
  const { compilation, code, refusal } = attempt;
  if (refusal !== null || compilation.compiler.language !== 'Solidity' || compilation.metadata === null) {
    return attempt;
  }
  const compiled = readMetadataHash(splitTrailingAuxdata(code.runtime)?.decoded);
  const wanted = readMetadataHash(splitTrailingAuxdata(onchain.runtime)?.decoded);
  if (compiled === null || wanted === null || compiled.hash === wanted.hash) return attempt;

  const contents = Object.fromEntries(
    Object.entries(source.input.sources).map(([path, { content }]) => [path, content]),
  );
  const startedAt = performance.now();
  const original = await search.findOriginal(
    { metadata: compilation.metadata, contents, compiled, wanted },
    { timeoutMs: Math.min(MAX_SEARCH_MS, budget.remainingMs()), signal: progress.signal },
  );
  budget.spend(performance.now() - startedAt);
  if (original === null) return attempt;

  const { compilerKind } = compilation;
  const input = withContents(source.input, original.contents);
  const build: CompilableSource = {
    ...source,
    input,
    ...(compilerKind === undefined ? {} : { compilerKind }),
  };
  // The second one for code that depends on the selection, as it may have done the first time.
  for (const scope of ['target', 'all'] as const) {
    const again = await attemptCompilation(compiler, build, scope, onchain, budget, progress);
    if (again === null || again.kind === 'failed') continue;
    if (!isBetterMatch(gradesOf(again.matches), gradesOf(attempt.matches))) continue;
    progress.warn(
      `The sources have the metadata hash of the contract with other line endings (${original.variation}); these are stored.`,
    );
    return again;
  }
  return attempt;
}

function gradesOf({ creation, runtime }: SideMatches): Grades {
  return { creation: creation?.grade ?? null, runtime: runtime?.grade ?? null };
}
