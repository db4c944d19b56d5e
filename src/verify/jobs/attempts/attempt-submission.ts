import type { Submission } from '../../model/submission.ts';
import type { AttemptContext } from './attempt-context.ts';
import { attemptMetadata } from './attempt-metadata.ts';
import { attemptSimilarity } from './attempt-similarity.ts';
import { attemptStandardJson } from './attempt-standard-json.ts';
import type { CompileAttempt } from './compare-with-chain.ts';

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
