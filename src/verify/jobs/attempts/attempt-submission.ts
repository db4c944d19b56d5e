import { setImmediate } from 'node:timers/promises';
import { shortenList } from '../../errors.ts';
import { isFullyVerified, type RankedGrades, takesPlaceOf } from '../../match/better-match.ts';
import { hasSameMetadata } from '../../match/extra-file-bug.ts';
import { MatchingError } from '../../match/transformations.ts';
import { compilationTargets, readCompilationTarget, rebuildInput } from '../../metadata/contract-metadata.ts';
import type { FoundFiles, ListedSource } from '../../metadata/find-files.ts';
import { nameOnchainKind } from '../../mismatch/onchain-kind.ts';
import { failure, type JobFailure } from '../../model/job-failure.ts';
import type { MetadataSubmission, Submission } from '../../model/submission.ts';
import type { CandidateRepository } from '../../similarity/candidate-repository.sql.ts';
import type { AttemptContext } from './attempt-compilation.ts';
import { attemptStandardJson } from './attempt-standard-json.ts';
import {
  type ComparedAttempt,
  type CompileAttempt,
  compareWithChain,
  type OnchainReader,
} from './compare-with-chain.ts';
import { provenBefore } from './prove-auxdata.ts';

/** Looks for sources that give the code on chain, in the way of the submission's kind. */
export function attemptSubmission(submission: Submission, context: AttemptContext): Promise<CompileAttempt> {
  switch (submission.kind) {
    case 'standard_json':
      return attemptStandardJson(context, submission);
    case 'metadata':
      return attemptMetadata(context, submission);
    case 'similarity':
      return attemptSimilarity(context);
  }
}

const MAX_CANDIDATES = 20;

/**
 * Compares stored compilations with the chain; no compiler runs.
 *
 * The best result counts, the likeliest candidate first; nothing is tried after an exact one.
 *
 * @see contracts/verification-engine.md section 12
 */
export async function attemptSimilarity({
  candidates,
  onchain,
  progress,
}: Pick<AttemptContext, 'candidates' | 'onchain' | 'progress'>): Promise<CompileAttempt> {
  progress.enter('matching');
  let best: ComparedAttempt | null = null;
  for (const id of await candidates.find(onchain.runtime, MAX_CANDIDATES)) {
    // Reading and comparing hold the thread; requests come in between.
    await setImmediate();
    progress.signal.throwIfAborted();
    const attempt = await compareCandidate(candidates, id, onchain);
    if (attempt === null) continue;
    if (best === null || takesPlaceOf(gradesOf(attempt), gradesOf(best))) best = attempt;
    if (await isBestPossible(gradesOf(best), onchain)) break;
  }
  if (best !== null) return best;
  const named = nameOnchainKind(onchain.runtime, null);
  const data = named === null ? null : { hint: named.words, onchainKind: named.kind };
  return { kind: 'failed', failure: failure('no_similar_match_found', data), milliseconds: 0 };
}

async function compareCandidate(
  candidates: CandidateRepository,
  id: bigint,
  onchain: OnchainReader,
): Promise<ComparedAttempt | null> {
  const { compilation, auxdata } = await candidates.read(id);
  try {
    const attempt = await compareWithChain(compilation, onchain, () => provenBefore(auxdata), 0);
    return attempt.kind === 'failed' || attempt.refusal !== null ? null : attempt;
  } catch (error) {
    // Stored code and references were checked when they were stored; a candidate that fails all the same is none.
    if (error instanceof MatchingError) return null;
    throw error;
  }
}

async function isBestPossible(grades: RankedGrades, onchain: OnchainReader): Promise<boolean> {
  if (isFullyVerified(grades)) return true;
  return grades.runtime === 'exact_match' && (await onchain.creation()) === null;
}

function gradesOf({ compilation, matches: { creation, runtime } }: ComparedAttempt): RankedGrades {
  const { language } = compilation.compiler;
  return { creation: creation?.grade ?? null, runtime: runtime?.grade ?? null, language };
}

/**
 * Rebuilds the compiler input from metadata and verifies it like standard JSON.
 *
 * Some compilers let unrelated files into the code. So unless the metadata differ, all files are tried too.
 *
 * @see contracts/verification-api.md section 7.1 and contracts/verification-engine.md sections 9.1 and 9.3
 */
export async function attemptMetadata(
  context: AttemptContext,
  submission: MetadataSubmission,
): Promise<CompileAttempt> {
  const { metadata, files } = submission;
  const target = readCompilationTarget(metadata);
  if (target === null) {
    const data = { compilationTargets: compilationTargets(metadata.settings) };
    return failed(failure('invalid_compilation_target', data));
  }
  const found = await findSources(context, submission);
  if (found === null) {
    const seconds = Math.ceil(context.budget.totalMs / 1000);
    return failed(failure('compiler_timeout', { seconds }));
  }
  const { missing, invalid, contents, matched } = found;
  if (invalid.length > 0) {
    const data = { missingSources: missing, invalidSources: invalid };
    return failed(failure('missing_or_invalid_source', data));
  }
  if (missing.length > 0) return failed(failure('missing_source', { missingSources: missing }));

  const { compilerVersion } = metadata;
  const attempt = (sources: Readonly<Record<string, string>>) =>
    attemptStandardJson(context, { input: rebuildInput(metadata, sources), compilerVersion, target });
  const first = await attempt(contents);
  if (first.kind === 'failed' || first.refusal === null) return first;
  if (!hasSameMetadata(first.code.runtime, context.onchain.runtime)) return first;
  // A file that was found by its hash may have another name than in the metadata, and must not be there twice.
  const others = Object.entries(files).filter((_, index) => !matched.includes(index));
  const all = { ...Object.fromEntries(others), ...contents };
  if (Object.keys(all).length === Object.keys(contents).length) return first;
  const second = await attempt(all);
  return second.kind === 'compared' && second.refusal === null ? second : first;
}

/** Null when the time of the job was over. */
async function findSources(
  { search, gateway, budget, progress }: AttemptContext,
  { metadata, files }: MetadataSubmission,
): Promise<FoundFiles | null> {
  const { signal } = progress;
  const find = async (texts: readonly string[]) => {
    const startedAt = performance.now();
    const limits = { timeoutMs: budget.remainingMs(), signal };
    const found = await search.findFiles({ listed: metadata.sources, files: texts }, limits);
    budget.spend(performance.now() - startedAt);
    return found;
  };
  const sent = Object.values(files);
  let found = await find(sent);
  if (found !== null && gateway !== null && found.missing.length > 0) {
    const fetched = await gateway.fetch(pick(metadata.sources, found.missing), signal);
    const absentBefore = new Set(found.missing);
    found = await find([...sent, ...Object.values(fetched)]);
    const used = Object.keys(fetched).filter((path) => absentBefore.has(path) && isFound(found, path));
    if (used.length > 0) progress.warn(`Fetched because they were not submitted: ${shortenList(used)}.`);
  }
  if (found !== null && found.varied.length > 0) {
    progress.warn(
      `Line endings other than those of the submitted files were used: ${shortenList(found.varied)}.`,
    );
  }
  return found;
}

function pick(
  sources: Readonly<Record<string, ListedSource>>,
  paths: readonly string[],
): Readonly<Record<string, ListedSource>> {
  const wanted = new Set(paths);
  return Object.fromEntries(Object.entries(sources).filter(([path]) => wanted.has(path)));
}

function isFound(found: FoundFiles | null, path: string): boolean {
  return found !== null && Object.hasOwn(found.contents, path);
}

function failed(reason: JobFailure): CompileAttempt {
  return { kind: 'failed', failure: reason, milliseconds: 0 };
}
