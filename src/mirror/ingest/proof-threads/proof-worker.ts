/** The threads behind `ProofThreads`: each message is a question, and is answered with a verdict. */
import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../../threads/lower-priority.ts';
import { checkBlockProof } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { ProofQuestion } from '../block-proof/proof-verdict.ts';

// Requests and the import go first.
lowerPriority();

const parts = { caches: new ProofCaches(), randomBytes };

parentPort?.on('message', (question: ProofQuestion) => {
  parentPort?.postMessage(checkBlockProof(question, parts));
});
