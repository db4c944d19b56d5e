import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../threads/worker-entry.ts';
import type { FileSearch, FoundFiles } from './find-files.ts';
import type { OriginalSearch, OriginalSources } from './find-original-sources.ts';
import type { SearchLimits, SourceSearch } from './source-search.ts';

/** One message to the thread; it answers with the result of the function of that name. */
export type SearchTask =
  | { readonly kind: 'original'; readonly search: OriginalSearch }
  | { readonly kind: 'files'; readonly search: FileSearch };

const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 1024;

/**
 * Searches sources in a thread of its own, one search at a time.
 *
 * The thread starts with the first search, ends after half a minute without one, and with a search that is
 * cancelled or takes too long.
 */
export class SearchThread implements SourceSearch {
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  /** Settles when the searches that came before have ended. */
  #before: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  findOriginal(search: OriginalSearch, limits: SearchLimits): Promise<OriginalSources | null> {
    return this.#queue({ kind: 'original', search }, limits) as Promise<OriginalSources | null>;
  }

  findFiles(search: FileSearch, limits: SearchLimits): Promise<FoundFiles | null> {
    return this.#queue({ kind: 'files', search }, limits) as Promise<FoundFiles | null>;
  }

  /** Ends the thread; a search that runs or waits rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #queue(task: SearchTask, limits: SearchLimits): Promise<unknown> {
    limits.signal.throwIfAborted();
    const result = this.#before.then(() => this.#run(task, limits));
    // The next search does not care how this one ends.
    this.#before = result.catch(() => {});
    const over = new AbortController();
    try {
      // Who is cancelled does not wait for the searches before it.
      return await Promise.race([result, cancellation(limits.signal, over.signal)]);
    } finally {
      over.abort();
    }
  }

  async #run(task: SearchTask, { timeoutMs, signal }: SearchLimits): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('The search thread is closed');
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const over = new AbortController();
    try {
      return await Promise.race([
        answerOf(worker, task, over.signal),
        cancellation(signal, over.signal),
        timeLimit(timeoutMs, over.signal),
      ]);
    } catch (error) {
      // Whatever it was, the thread still works on this search or is broken.
      await this.#end();
      if (error instanceof SearchTimeout) return null;
      throw error;
    } finally {
      over.abort();
      this.#idleTimer = setTimeout(() => void this.#end(), IDLE_MS);
      this.#idleTimer.unref();
    }
  }

  #start(): Worker {
    const worker = startWorker();
    // A thread may also fail between two searches.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

class SearchTimeout extends Error {}

function startWorker(): Worker {
  const { url, behindShim } = workerEntry('./search-worker', import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
  const worker = new Worker(url, { workerData: { entry: behindShim }, env: {}, resourceLimits });
  worker.unref();
  return worker;
}

async function answerOf(worker: Worker, task: SearchTask, over: AbortSignal): Promise<unknown> {
  // `once` rejects when the thread fails; one that ends without an error would leave it waiting.
  const exited = once(worker, 'exit', { signal: over }).then(() => {
    throw new Error('The search thread ended during a search');
  });
  worker.postMessage(task);
  const [answer] = await Promise.race([once(worker, 'message', { signal: over }), exited]);
  return answer;
}

async function cancellation(cancelled: AbortSignal, over: AbortSignal): Promise<never> {
  await once(cancelled, 'abort', { signal: over });
  throw cancelled.reason;
}

async function timeLimit(timeoutMs: number, over: AbortSignal): Promise<never> {
  await wait(timeoutMs, undefined, { signal: over });
  throw new SearchTimeout();
}
