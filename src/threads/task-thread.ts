import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transferable, Worker } from 'node:worker_threads';

/** How a thread is made and kept. */
interface TaskThreadOptions {
  readonly start: () => Worker;
  /** In its messages: "the body thread". */
  readonly name: string;
  /** It ends when it had nothing to do for so long, milliseconds. */
  readonly idleMs: number;
}

/** When the work on a task is given up. */
interface TaskLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Memory that moves to the thread. */
  readonly moved?: readonly Transferable[];
}

/** A task took longer than it may. */
export class TaskTimeout extends Error {}
/** The thread was closed before a task began. */
export class ThreadClosed extends Error {}

/**
 * A thread that answers each message with one, in the order of the questions.
 *
 * It starts with the first task, ends when none came for a while, and is replaced after a task that failed in it, was
 * cancelled or took too long: it may still be at work on that.
 */
export class TaskThread<Task, Answer> {
  readonly #options: TaskThreadOptions;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  /** Settles when the tasks that came before have ended. */
  #before: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  /** @throws TaskTimeout, ThreadClosed, the reason of the signal, or whatever ended the thread. */
  async run(task: Task, limits: TaskLimits): Promise<Answer> {
    const { signal } = limits;
    signal?.throwIfAborted();
    const answer = this.#before.then(() => this.#run(task, limits));
    // The next task does not care how this one ends.
    this.#before = answer.catch(() => {});
    // Who is cancelled does not wait for the tasks before it.
    return unless(answer, (over) => [cancellation(signal, over)]);
  }

  /** Ends the thread; a task that runs or waits rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #run(task: Task, { timeoutMs, signal, moved = [] }: TaskLimits): Promise<Answer> {
    const { idleMs, name } = this.#options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw new ThreadClosed(`The ${name} thread is closed`);
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      return await unless(
        (over) => this.#answerOf(worker, task, moved, over),
        (over) => [cancellation(signal, over), overtime(name, timeoutMs, over)],
      );
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      this.#idleTimer = setTimeout(() => void this.#end(), idleMs).unref();
    }
  }

  #start(): Worker {
    const worker = this.#options.start();
    worker.unref();
    // A thread may also fail between two tasks.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #answerOf(
    worker: Worker,
    task: Task,
    moved: readonly Transferable[],
    over: AbortSignal,
  ): Promise<Answer> {
    // First: where the task cannot be sent, nothing waits for its end.
    worker.postMessage(task, moved);
    // `once` rejects when the thread fails; one that ends without an error would leave it waiting.
    const exited = once(worker, 'exit', { signal: over }).then(() => {
      throw new Error(`The ${this.#options.name} thread ended during a task`);
    });
    const [answer] = await Promise.race([once(worker, 'message', { signal: over }), exited]);
    return answer as Answer;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/** Waits for an answer unless something else comes first; what is waited for in vain is left. */
async function unless<T>(
  answer: Promise<T> | ((over: AbortSignal) => Promise<T>),
  others: (over: AbortSignal) => readonly Promise<never>[],
): Promise<T> {
  const over = new AbortController();
  try {
    const first = typeof answer === 'function' ? answer(over.signal) : answer;
    return await Promise.race([first, ...others(over.signal)]);
  } finally {
    over.abort();
  }
}

async function cancellation(cancelled: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  await once(cancelled ?? over, 'abort', { signal: over });
  throw cancelled?.reason;
}

async function overtime(name: string, timeoutMs: number, over: AbortSignal): Promise<never> {
  await wait(timeoutMs, undefined, { signal: over });
  throw new TaskTimeout(`The ${name} thread took longer than ${timeoutMs} ms`);
}
