/** The threads behind `ProofThreads`: each message is a question, and is answered with a verdict. */
import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { checkBlockProof } from '../block-proof/check-block-proof.ts';
import { ProofCaches } from '../block-proof/proof-caches.ts';
import type { ProofQuestion } from '../block-proof/proof-verdict.ts';

/** Requests and the import go first, by a little: with more, every other program of the machine would as well. */
const NICENESS = 1;

// On Linux priorities belong to threads; elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(NICENESS);

const parts = { caches: new ProofCaches(), randomBytes };

parentPort?.on('message', (question: ProofQuestion) => {
  parentPort?.postMessage(checkBlockProof(question, parts));
});
