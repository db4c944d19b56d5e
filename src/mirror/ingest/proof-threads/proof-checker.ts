import { randomBytes } from 'node:crypto';
import type { ProofParts } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { ProofQuestion, ProofVerdict } from '../block-proof/proof-verdict.ts';

/** Checks proofs of blocks, wherever that happens. */
export interface ProofChecker {
  /** The same question asked again is answered by the same check. */
  check(question: ProofQuestion): Promise<ProofVerdict>;
  /** Ends what runs; questions that are not answered reject. */
  close(): Promise<void>;
}

/** Checks in the calling thread, a tenth of a second each. For commands and tests; a server has `ProofThreads`. */
export function createProofChecker(
  parts: ProofParts = { caches: new ProofCaches(), randomBytes },
): ProofChecker {
  return {
    // Its mathematics takes 2 MB, which most servers never need in this thread.
    async check(question) {
      const { checkBlockProof } = await import('../block-proof/check-block-proof.ts');
      return checkBlockProof(question, parts);
    },
    close: async () => {},
  };
}
