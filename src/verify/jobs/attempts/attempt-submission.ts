import { setImmediate } from 'node:timers/promises';
import { isFullyVerified, type RankedGrades, takesPlaceOf } from '../../match/better-match.ts';
import { MatchingError } from '../../match/matching-error.ts';
import { nameOnchainKind } from '../../mismatch/onchain-kind.ts';
import { failure } from '../../model/job-failure.ts';
import type { Submission } from '../../model/submission.ts';
import type { CandidateRepository } from '../../similarity/candidate-repository.ts';
import type { AttemptContext } from './attempt-context.ts';
import { attemptMetadata } from './attempt-metadata.ts';
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
