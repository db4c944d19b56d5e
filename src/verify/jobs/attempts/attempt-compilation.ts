import type { Compilation, CompileOutcome, Compiler, OutputScope } from '../../compile/compiler.ts';
import type { CompilerKind } from '../../compile/compiler-catalog.ts';
import type { Language } from '../../match/compiled-code.ts';
import type { PreparedCode } from '../../match/verify-bytecode.ts';
import type { SourceSearch } from '../../metadata/search-thread.ts';
import type { SourceGateway } from '../../metadata/source-gateway.ts';
import type { JobProgress } from '../../model/job-progress.ts';
import type { StandardJsonSubmission } from '../../model/submission.ts';
import type { CandidateRepository } from '../../similarity/candidate-repository.sql.ts';
import { type StandardJson, withEditedSources } from '../../standard-json.ts';
import { type CompileAttempt, compareWithChain, type OnchainReader } from './compare-with-chain.ts';
import { proveAuxdata } from './prove-auxdata.ts';

/** What is compiled: input, version and target, and with which build when that matters. */
export type CompilableSource = Pick<StandardJsonSubmission, 'input' | 'compilerVersion' | 'target'> & {
  readonly compilerKind?: CompilerKind;
};

/** The compilations of one job together may take this long. */
export interface CompileBudget {
  /** Milliseconds at the start. */
  readonly totalMs: number;
  readonly remainingMs: () => number;
  readonly spend: (milliseconds: number) => void;
}

/** Tells whether a compilation is worth comparing; false for one that was compared already. */
type IsNews = (compilation: Compilation) => boolean;

/**
 * Compiles once with the given output selection and compares the result with the chain.
 *
 * @returns null when `isNews` says that the same code was compared before.
 * @throws MatchingError when the compiled code contradicts its own link references.
 * @see contracts/verification-engine.md section 1, steps 2 to 11
 */
export async function attemptCompilation(
  context: AttemptContext,
  source: CompilableSource,
  scope: OutputScope,
  isNews: IsNews = () => true,
): Promise<CompileAttempt | null> {
  const run = (input: StandardJson) => compileWithin(context, { ...source, input }, scope);
  const outcome = await run(source.input);
  if (outcome.kind === 'failed') return outcome;
  const { compilation, milliseconds } = outcome;
  if (!isNews(compilation)) return null;
  context.progress.enter('matching');
  const compileEdited = async () => {
    const edited = await run(withEditedSources(source.input));
    return edited.kind === 'compiled' ? edited.compilation : null;
  };
  const prove = (code: PreparedCode) => proveAuxdata(code, compileEdited);
  return compareWithChain(compilation, context.onchain, prove, milliseconds);
}

/** Compiles with what is left of the time of the job, which it takes part of. */
export async function compileWithin(
  { budget, compilers, progress }: AttemptContext,
  { compilerKind: kind, compilerVersion: version, input, target }: CompilableSource,
  scope: OutputScope,
): Promise<CompileOutcome> {
  const outcome = await compilers[input.language].compile({
    input,
    version,
    target,
    scope,
    timeoutMs: budget.remainingMs(),
    signal: progress.signal,
    ...(kind === undefined ? {} : { kind }),
  });
  const isKept = outcome.kind === 'compiled' && outcome.isKept === true;
  budget.spend(isKept ? 0 : outcome.milliseconds);
  return outcome;
}

/** Whether two compilations gave the same bytes, library placeholders included. */
export function hasSameCode(left: Compilation, right: Compilation): boolean {
  return left.creation.object === right.creation.object && left.runtime.object === right.runtime.object;
}

/** What an attempt to find the sources of one contract works with. */
export interface AttemptContext {
  readonly compilers: Readonly<Record<Language, Compiler>>;
  readonly search: SourceSearch;
  /** Null when sources that nobody sent are not fetched. */
  readonly gateway: SourceGateway | null;
  readonly candidates: CandidateRepository;
  readonly onchain: OnchainReader;
  readonly budget: CompileBudget;
  readonly progress: JobProgress;
}
