import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../threads/start-thread.ts';
import { TaskThread, ThreadClosed } from '../../../threads/task-thread.ts';
import { checkResult } from '../block-proof/failed-check.ts';
import { BoundedMap, cacheKey } from '../block-proof/proof-caches.ts';
import type { ProofQuestion, ProofTrust, ProofVerdict } from '../block-proof/proof-verdict.ts';
import { readBlockProof } from '../block-proof/read-block-proof.ts';
import { createProofChecker, type ProofChecker } from './proof-checker.ts';

/** How the threads are made and kept. */
export interface ProofThreadsOptions {
  /** How many; default: one less than the processors, at least one and at most four. */
  readonly threads?: number;
  /** Default: worker threads of this process. */
  readonly start?: () => Worker;
}

const MAX_THREADS = 4;
/** A check takes a second at most, on a busy machine some. */
const TIMEOUT_MS = 60_000;
/** Live, blocks come every second or two, on a quiet network every few minutes; a thread takes a second to begin. */
const IDLE_MS = 600_000;
/** Answers that are kept for who asks again: more than are checked ahead. */
const KEPT_ANSWERS = 256;
/** How often a question is asked in a thread; the last resort is the calling thread. */
const ATTEMPTS = 2;

/** Is answered as soon as the thread has begun. */
const EMPTY_QUESTION: ProofQuestion = {
  root: new Uint8Array(),
  blockNumber: 0n,
  proof: new Uint8Array(),
  trust: { ledgerId: null, wrapsKey: null, roster: null, knownKeys: [], leastGeneration: 1 },
};

interface PoolThread {
  readonly thread: TaskThread<ProofQuestion, ProofVerdict>;
  /** Questions that wait for an answer. */
  load: number;
}

/**
 * Checks proofs in threads of its own, several at a time, so that neither requests nor the import wait for the processor.
 *
 * A thread that dies is replaced and its question asked again: nothing is lost and nothing is taken unchecked.
 *
 * @see docs/adr/0022-block-proofs.md
 */
export class ProofThreads implements ProofChecker {
  readonly #threads: readonly PoolThread[];
  readonly #answers = new BoundedMap<Promise<ProofVerdict>>(KEPT_ANSWERS);
  /** The thread that has checked a signature knows it. */
  readonly #threadOf = new BoundedMap<PoolThread>(KEPT_ANSWERS);
  readonly #lastResort = createProofChecker();
  #isClosed = false;

  constructor({ start = startWorker, threads = usualThreads() }: ProofThreadsOptions = {}) {
    this.#threads = Array.from({ length: threads }, () => ({
      thread: new TaskThread<ProofQuestion, ProofVerdict>({ start, name: 'proof', idleMs: IDLE_MS }),
      load: 0,
    }));
  }

  check(question: ProofQuestion): Promise<ProofVerdict> {
    const key = questionKey(question);
    return this.#answers.getOrMake(key, () => {
      const answer = this.#ask(ownQuestion(question));
      // Who asks hears of it; what nobody waits for yet is no unhandled fault, and is tried again.
      answer.catch(() => this.#answers.delete(key));
      return answer;
    });
  }

  /** Starts a thread ahead of the first proof, which would wait for it. */
  warmUp(): void {
    this.check(EMPTY_QUESTION).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(({ thread }) => thread.close()));
  }

  async #ask(question: ProofQuestion): Promise<ProofVerdict> {
    const signature = signatureKey(question);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const chosen = this.#threadOf.getOrMake(signature, () => this.#leastLoaded());
      chosen.load += 1;
      try {
        return await chosen.thread.run(question, { timeoutMs: TIMEOUT_MS });
      } catch (error) {
        if (this.#isClosed || error instanceof ThreadClosed) throw error;
        this.#threadOf.delete(signature);
      } finally {
        chosen.load -= 1;
      }
    }
    return this.#lastResort.check(question);
  }

  #leastLoaded(): PoolThread {
    const [first, ...others] = this.#threads;
    if (first === undefined) throw new Error('no threads');
    return others.reduce((best, thread) => (thread.load < best.load ? thread : best), first);
  }
}

function startWorker(): Worker {
  return startThread('mirror/ingest/proof-threads/proof-worker');
}

function usualThreads(): number {
  return Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
}

/** Equal for questions that have the same answer. */
export function questionKey({ blockNumber, proof, root, trust }: ProofQuestion): string {
  return cacheKey(blockNumber, root, proof, ...trustParts(trust));
}

/** Equal for proofs that share a signature, as state proofs of neighbouring blocks do: only one of them costs. */
export function signatureKey({ proof }: ProofQuestion): string {
  let key = '';
  checkResult(() => {
    const read = readBlockProof(proof);
    if (!('reason' in read)) key = cacheKey(read.blockSignature);
  });
  return key;
}

/**
 * The question in memory of its own.
 *
 * A message to a thread copies the whole memory that lies under a view, here a block.
 */
export function ownQuestion({ blockNumber, proof, root, trust }: ProofQuestion): ProofQuestion {
  const { knownKeys, leastGeneration, ledgerId, roster, wrapsKey } = trust;
  return {
    blockNumber,
    root: Uint8Array.from(root),
    proof: Uint8Array.from(proof),
    trust: {
      ledgerId: ledgerId && Uint8Array.from(ledgerId),
      wrapsKey: wrapsKey && Uint8Array.from(wrapsKey),
      roster:
        roster?.map(({ key, nodeId, weight }) => ({ key: Uint8Array.from(key), nodeId, weight })) ?? null,
      knownKeys: knownKeys.map((key) => Uint8Array.from(key)),
      leastGeneration,
    },
  };
}

function trustParts({ knownKeys, leastGeneration, ledgerId, roster, wrapsKey }: ProofTrust) {
  const absent = 'none';
  return [
    leastGeneration,
    ledgerId ?? absent,
    wrapsKey ?? absent,
    knownKeys.length,
    ...knownKeys,
    ...(roster?.flatMap(({ key, nodeId, weight }) => [key, nodeId, weight]) ?? [absent]),
  ];
}
