import type { Compilation, Compiler } from '../../compile/compiler.ts';
import { isShortVersion, normaliseVersion, versionOfSisters } from '../../compile/compiler-version.ts';
import { withoutOutputSettings } from '../../compile/solidity/output-settings.ts';
import { MatchingError } from '../../match/matching-error.ts';
import { failure } from '../../model/job-failure.ts';
import type { JobProgress } from '../../model/job-progress.ts';
import { shorten } from '../../shorten.ts';
import { storedSettings } from '../../standard-json.ts';
import { attemptCompilation, type CompilableSource, hasSameCode } from './attempt-compilation.ts';
import type { AttemptContext } from './attempt-context.ts';
import type { ComparedAttempt, CompileAttempt } from './compare-with-chain.ts';
import { furtherAttempts } from './further-attempts.ts';
import { leaveOutUnused } from './leave-out-unused.ts';
import { preferOriginalSources } from './prefer-original-sources.ts';

/** No compiler starts in less. */
const LEAST_MS = 10;

/**
 * Compiles standard JSON and compares it with the chain.
 *
 * Repeats in other ways when nothing matches and a compiler bug may be the cause, and with other line ends when
 * only the metadata hash differs.
 *
 * @see contracts/verification-engine.md sections 1, 2.1, 9.2 and 9.3
 */
export async function attemptStandardJson(
  context: AttemptContext,
  submitted: CompilableSource,
): Promise<CompileAttempt> {
  const { progress } = context;
  progress.enter('compiling');
  const { input, leftOut } = withoutOutputSettings(submitted.input);
  const source = { ...submitted, input };
  if (leftOut.length > 0) progress.warn(`Left out, because it shapes output only: ${leftOut.join(', ')}.`);
  try {
    const compiler = context.compilers[source.input.language];
    const attempt = await attemptRepeatedly(context, compiler, source);
    if (attempt.kind === 'failed') return attempt;
    const { version } = attempt.compilation.compiler;
    if (source.input.language === 'Fe' && Object.keys(storedSettings(source.input)).length > 0) {
      progress.warn('The settings were ignored: the Fe compiler is run without any.');
    }
    warnOfOtherVersion(source.compilerVersion, version, progress);
    const preferred = await preferOriginalSources(context, compiler, source, attempt);
    return await leaveOutUnused(context, compiler, source, preferred);
  } catch (error) {
    // Code that contradicts its own link references cannot be compared with anything.
    if (error instanceof MatchingError) {
      return { kind: 'failed', failure: failure('no_match', { hint: `${error.message}.` }), milliseconds: 0 };
    }
    throw error;
  }
}

function warnOfOtherVersion(submitted: string, used: string, progress: JobProgress): void {
  const wanted = normaliseVersion(submitted);
  if (isShortVersion(submitted) && used !== submitted) {
    progress.warn(`The compiler version ${submitted} was read as ${used}.`);
  } else if (versionOfSisters(wanted) !== null && used !== wanted) {
    progress.warn(
      `The compiler ${shorten(submitted)} was not found; ${used}, another build of it, was used.`,
    );
  }
}

async function attemptRepeatedly(
  { onchain, budget, progress }: AttemptContext,
  compiler: Compiler,
  source: CompilableSource,
): Promise<CompileAttempt> {
  const first = await attemptCompilation(compiler, source, 'target', onchain, budget, progress);
  if (first === null) throw new Error('A first compilation is always compared');
  if (first.kind === 'failed' || first.refusal === null) return first;
  const compared: ComparedAttempt[] = [first];
  const isNews = (compilation: Compilation) =>
    !compared.some((earlier) => hasSameCode(earlier.compilation, compilation));
  for (const { scope, ...build } of furtherAttempts(first.compilation, first.refusal.code)) {
    if (budget.remainingMs() <= LEAST_MS) break;
    const again = { ...source, ...build };
    const attempt = await attemptCompilation(compiler, again, scope, onchain, budget, progress, isNews);
    // The other build may not be there, and what was compared already counts.
    if (attempt === null || attempt.kind === 'failed') continue;
    if (attempt.refusal === null) return attempt;
    compared.push(attempt);
  }
  return compared.at(-1) ?? first;
}
