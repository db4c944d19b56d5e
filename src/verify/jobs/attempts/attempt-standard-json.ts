import type { Compilation, OutputScope } from '../../compile/compiler.ts';
import type { CompilerKind } from '../../compile/compiler-catalog.ts';
import {
  isBuildOf,
  isShortVersion,
  normaliseVersion,
  siblingBuildVersion,
} from '../../compile/compiler-version.ts';
import { withoutOutputSettings } from '../../compile/solidity/output-settings.ts';
import { shorten } from '../../errors.ts';
import { isJsonObject } from '../../json-object.ts';
import { splitTrailingAuxdata } from '../../match/auxdata/auxdata.ts';
import { type Grades, isBetterMatch } from '../../match/better-match.ts';
import { MatchingError } from '../../match/transformations.ts';
import type { SideMatches } from '../../match/verify-bytecode.ts';
import { isBefore } from '../../match/version-order.ts';
import { readMetadataHash } from '../../metadata/metadata-hash.ts';
import { failure, type JobErrorCode } from '../../model/job-failure.ts';
import type { JobProgress } from '../../model/job-progress.ts';
import { settingsOf, storedSettings, withContents } from '../../standard-json.ts';
import {
  type AttemptContext,
  attemptCompilation,
  type CompilableSource,
  compileWithin,
  hasSameCode,
} from './attempt-compilation.ts';
import { type ComparedAttempt, type CompileAttempt, compareWithChain } from './compare-with-chain.ts';
import { provenBefore } from './prove-auxdata.ts';

/** No compiler starts in less. */
const MIN_MS = 10;

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
  if (leftOut.length > 0)
    progress.warn(`Omitted, because it affects only the output: ${leftOut.join(', ')}.`);
  try {
    const attempt = await attemptRepeatedly(context, source);
    if (attempt.kind === 'failed') return attempt;
    const { version } = attempt.compilation.compiler;
    if (source.input.language === 'Fe' && Object.keys(storedSettings(source.input)).length > 0) {
      progress.warn('The settings were ignored: the Fe compiler takes none.');
    }
    warnOfOtherVersion(source.compilerVersion, version, progress);
    const preferred = await preferOriginalSources(context, source, attempt);
    return await leaveOutUnused(context, source, preferred);
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
  } else if (siblingBuildVersion(wanted) !== null && !isBuildOf(used, wanted)) {
    progress.warn(
      `The compiler ${shorten(submitted)} was not found; ${used}, another build of it, was used.`,
    );
  }
}

async function attemptRepeatedly(context: AttemptContext, source: CompilableSource): Promise<CompileAttempt> {
  const first = await attemptCompilation(context, source, 'target');
  if (first === null) throw new Error('A first compilation is always compared');
  if (first.kind === 'failed' || first.refusal === null) return first;
  const compared: ComparedAttempt[] = [first];
  const isNews = (compilation: Compilation) =>
    !compared.some((earlier) => hasSameCode(earlier.compilation, compilation));
  for (const { scope, ...build } of furtherAttempts(first.compilation, first.refusal.code)) {
    if (context.budget.remainingMs() <= MIN_MS) break;
    const attempt = await attemptCompilation(context, { ...source, ...build }, scope, isNews);
    // The other build may not be there, and what was compared already counts.
    if (attempt === null || attempt.kind === 'failed') continue;
    if (attempt.refusal === null) return attempt;
    compared.push(attempt);
  }
  return compared.at(-1) ?? first;
}

/**
 * Leaves the files out of a match that the contract does not need, if the compiler gives the same code without them.
 *
 * They shift the ids of the syntax tree, which some versions let into the code, so the compiler decides. Everything that
 * is shown then comes from the compilation without them. Nothing is compiled when all files are needed.
 *
 * @see contracts/verification-engine.md section 8
 */
async function leaveOutUnused(
  context: AttemptContext,
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
  const outcome = await compileWithin(context, needed, scope);
  if (outcome.kind === 'failed' || !hasSameCode(compilation, outcome.compilation)) return attempt;
  const proven = () => provenBefore(auxdata);
  const again = await compareWithChain(outcome.compilation, context.onchain, proven, milliseconds);
  return again.kind === 'compared' && again.refusal === null ? again : attempt;
}

/**
 * Picks the members of a map by path that belong to files which a compilation used.
 *
 * The metadata list every file that the contract's own file reaches. Others were only sent along, and nothing says
 * that they have to do with the contract.
 *
 * @param metadata as the compiler printed it; without it all members count as used.
 */
function pickUsed<T>(
  byPath: Readonly<Record<string, T>>,
  metadata: string | null,
): Readonly<Record<string, T>> {
  const listed = metadata === null ? null : listedSources(metadata);
  if (listed === null) return byPath;
  return Object.fromEntries(Object.entries(byPath).filter(([path]) => Object.hasOwn(listed, path)));
}

function listedSources(metadata: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(metadata);
    const sources = isJsonObject(parsed) ? parsed['sources'] : null;
    return isJsonObject(sources) && Object.keys(sources).length > 0 ? sources : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

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
async function preferOriginalSources(
  context: AttemptContext,
  source: CompilableSource,
  attempt: ComparedAttempt,
): Promise<CompileAttempt> {
  const { search, onchain, budget, progress } = context;
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
    const again = await attemptCompilation(context, build, scope);
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

/** Another way to compile the same input. */
interface FurtherAttempt {
  readonly scope: OutputScope;
  /** Absent: the build that was used before. */
  readonly compilerKind?: CompilerKind;
}

/** Refusals that known compiler bugs can cause. */
const WORTH_MORE: ReadonlySet<JobErrorCode> = new Set([
  'no_match',
  'bytecode_length_mismatch',
  'extra_file_input_bug',
]);
const FIRST_UNSTEADY_VYPER = '0.3.4';
const FIRST_STEADY_VYPER = '0.3.8';
/** With one repetition 8 of 20 correct submissions matched; the limit of the job may end them earlier. */
const UNSTEADY_RUNS = 20;
const FIRST_WITH_ORDERED_IR = '0.8.21';

/**
 * Tells how else a compilation that matches nothing is worth repeating, because of known compiler bugs.
 *
 * Solidity: the selection of outputs can change code; before 0.8.21 native and WebAssembly builds order
 * unoptimised IR output differently. Vyper 0.3.4 to 0.3.7 do not give the same code each time.
 *
 * @see contracts/verification-engine.md sections 2.1, 4.2 and 9.2
 */
export function furtherAttempts(compilation: Compilation, refusal: JobErrorCode): readonly FurtherAttempt[] {
  if (!WORTH_MORE.has(refusal)) return [];
  const { language, version } = compilation.compiler;
  switch (language) {
    case 'Fe':
      return [];
    case 'Vyper':
      return !isBefore(version, FIRST_UNSTEADY_VYPER) && isBefore(version, FIRST_STEADY_VYPER)
        ? Array.from({ length: UNSTEADY_RUNS - 1 }, () => ({ scope: 'target' }) as const)
        : [];
    case 'Solidity':
    case 'Yul': {
      const compilerKind = compilation.compilerKind === 'native' ? 'wasm' : 'native';
      return [
        { scope: 'all' },
        ...(hasUnorderedIr(compilation) ? [{ scope: 'all', compilerKind } as const] : []),
      ];
    }
  }
}

function hasUnorderedIr({ compiler, input }: Compilation): boolean {
  const { viaIR, optimizer } = settingsOf(input);
  const isOptimised = isJsonObject(optimizer) && optimizer['enabled'] === true;
  return isBefore(compiler.version, FIRST_WITH_ORDERED_IR) && viaIR === true && !isOptimised;
}
