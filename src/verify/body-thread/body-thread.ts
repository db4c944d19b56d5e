import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../threads/worker-entry.ts';
import type { BodyKind } from '../bodies/body-kind.ts';
import type { LargeBodies } from '../bodies/large-bodies.ts';
import type { PreparedBody } from '../bodies/prepared-body.ts';
import { invalidParameter, VerifyRequestError } from '../errors.ts';
import type { StoredSubmission } from '../model/stored-submission.ts';
import type { Submission } from '../model/submission.ts';

/** One message to the thread; it answers each with one. */
export type BodyTask =
  | {
      readonly kind: 'prepare';
      readonly parts: Uint8Array[];
      readonly body: BodyKind;
      readonly contentType: string;
    }
  | { readonly kind: 'unpack'; readonly stored: StoredSubmission };

export type BodyAnswer =
  | { readonly kind: 'prepared'; readonly body: PreparedBody }
  | { readonly kind: 'unpacked'; readonly submission: Submission };

/** Limits of the thread; a test may set its own. */
export interface BodyThreadLimits {
  /** Four times the largest body, for texts of two bytes a character. Default 512. */
  readonly heapMiB?: number;
  /** Default two minutes. */
  readonly idleMs?: number;
  /** A body that takes longer ends the thread. Default one minute. */
  readonly timeoutMs?: number;
}

const HEAP_MIB = 512;
const IDLE_MS = 120_000;
const TIMEOUT_MS = 60_000;
const RETRY_SECONDS = 5;

/**
 * Reads large bodies in a thread of its own, one after the other; the budget for bodies bounds how many wait.
 *
 * The thread starts with the first body, ends when none came for a while, and is replaced when a body ends it.
 */
export class BodyThread implements LargeBodies {
  readonly #limits: Required<BodyThreadLimits>;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  /** Settles when the bodies that came before are done with. */
  #before: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ heapMiB = HEAP_MIB, idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS }: BodyThreadLimits = {}) {
    this.#limits = { heapMiB, idleMs, timeoutMs };
  }

  async prepare(parts: readonly Buffer[], kind: BodyKind, contentType = ''): Promise<PreparedBody> {
    const task: BodyTask = { kind: 'prepare', parts: [...parts], body: kind, contentType };
    const answer = await this.#queue(task, parts.map(({ buffer }) => buffer) as ArrayBuffer[]);
    if (answer.kind !== 'prepared') throw new Error('The body thread answered another question');
    return answer.body;
  }

  async unpack(stored: StoredSubmission): Promise<Submission> {
    const answer = await this.#queue({ kind: 'unpack', stored }, []);
    if (answer.kind !== 'unpacked') throw new Error('The body thread answered another question');
    return answer.submission;
  }

  /** Ends the thread; what it works on, and what waits, rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #queue(task: BodyTask, moved: readonly ArrayBuffer[]): Promise<BodyAnswer> {
    const answer = this.#before.then(() => this.#run(task, moved));
    this.#before = answer.catch(() => {});
    return answer;
  }

  async #run(task: BodyTask, moved: readonly ArrayBuffer[]): Promise<BodyAnswer> {
    if (this.#isClosed) throw unavailable('The server is stopping.');
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const over = new AbortController();
    try {
      return await Promise.race([
        this.#answerOf(worker, task, moved, over.signal),
        timeLimit(this.#limits.timeoutMs, over.signal),
      ]);
    } catch (error) {
      // It may still be at work on this body, or broken: the next one gets a fresh thread.
      await this.#end();
      throw inWordsOfTheClient(error);
    } finally {
      over.abort();
      this.#idleTimer = setTimeout(() => void this.#end(), this.#limits.idleMs).unref();
    }
  }

  #start(): Worker {
    const { url, behindShim } = workerEntry('./body-worker', import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: this.#limits.heapMiB };
    const worker = new Worker(url, { workerData: { entry: behindShim }, env: {}, resourceLimits });
    worker.unref();
    // A thread may also fail between two bodies.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #answerOf(
    worker: Worker,
    task: BodyTask,
    moved: readonly ArrayBuffer[],
    over: AbortSignal,
  ): Promise<BodyAnswer> {
    // `once` rejects when the thread fails; one that ends without an error would leave it waiting.
    const exited = once(worker, 'exit', { signal: over }).then(() => {
      throw new Error('The body thread ended while it read');
    });
    worker.postMessage(task, moved);
    const [answer] = await Promise.race([once(worker, 'message', { signal: over }), exited]);
    return answer as BodyAnswer;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

async function timeLimit(timeoutMs: number, over: AbortSignal): Promise<never> {
  await wait(timeoutMs, undefined, { signal: over });
  throw new Error(`The body thread took longer than ${timeoutMs} ms`);
}

function inWordsOfTheClient(error: unknown): VerifyRequestError {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? invalidParameter('request/body must NOT need more memory to be read than the server gives it')
    : unavailable('The body could not be read.', error);
}

function unavailable(text: string, cause?: unknown): VerifyRequestError {
  const message = `${text} Nothing was stored; try again later.`;
  return new VerifyRequestError('server_busy', message, RETRY_SECONDS, cause);
}
