import type { Hex } from '../../values/hex.ts';
import type { SimilaritySubmission } from '../model/submission.ts';

/** Reads the body of `POST /v2/verify/similarity/…`. @see contracts/verification-api.md section 7.2 */
export function readSimilaritySubmission(body: {
  readonly creationTransactionHash?: string;
}): SimilaritySubmission {
  return {
    kind: 'similarity',
    creationTransactionHash: (body.creationTransactionHash ?? null) as Hex | null,
  };
}
