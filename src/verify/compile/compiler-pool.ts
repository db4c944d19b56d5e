import { isBefore } from '../match/version-order.ts';
import type { CompilerExecutable } from './compiler-store.ts';
import { CompilerThread, type RunResult } from './compiler-thread.ts';
import type { WorkerTask } from './worker-messages.ts';

/** Limits of the pool. */
export interface CompilerPoolOptions {
  /** Threads that may live at the same time; each keeps one compiler warm (about 250 MiB). */
  readonly workers: number;
  /** Memory that one compiler may take, MiB. */
  readonly memoryLimitMiB: number;
  /** Time that loading a compiler may take, milliseconds. Default 60 000. */
  readonly loadTimeoutMs?: number;
}

interface Waiting {
  readonly file: CompilerFile;
  readonly use: (thread: CompilerThread) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

type CompilerFile = Pick<CompilerExecutable, 'path' | 'sha256'>;

/** Older compilers give other code when they compile twice in one context (issue 1099 of the reference). */
const FIRST_REUSABLE_VERSION = '0.4.0';
const BYTES_PER_MIB = 1_048_576;

/**
 * Runs compilations in threads that keep their compiler loaded.
 *
 * A task goes to an idle thread that has its compiler, else to a new thread, else to the place of the thread
 * that has been idle longest. The length of the queue is bounded by the number of running jobs.
 *
 * @see contracts/verification-engine.md section 13
 */
export class CompilerPool {
  readonly #options: CompilerPoolOptions;
  /** Oldest use first. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: CompilerPoolOptions) {
    this.#options = options;
  }

  /** Tasks that wait for a thread. */
  get queueLength(): number {
    return this.#waiting.length;
  }

  /** Compiles; a compiler that ran out of memory is tried once more in a fresh thread. */
  async run(executable: CompilerExecutable, task: WorkerTask, timeoutMs: number): Promise<RunResult> {
    const first = await this.#runOnce(executable, task, timeoutMs);
    if (first.kind !== 'out_of_memory') return first;
    return this.#runOnce(executable, task, Math.max(1, timeoutMs - first.milliseconds));
  }

  /** Loads a compiler and returns its own version text. @throws Error when it cannot be loaded. */
  async version(path: string): Promise<string> {
    return this.#withThread({ path, sha256: null }, (thread) => thread.version, true);
  }

  /** Ends all threads; tasks that wait or run are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail } of this.#waiting.splice(0)) fail(new Error('The compiler pool is closed'));
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.close()));
  }

  async #runOnce(executable: CompilerExecutable, task: WorkerTask, timeoutMs: number): Promise<RunResult> {
    const isReusable = !isBefore(executable.version, FIRST_REUSABLE_VERSION);
    const work = async (thread: CompilerThread): Promise<RunResult> => {
      try {
        await thread.version;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { kind: 'crashed', message, milliseconds: 0 };
      }
      return thread.run(task, timeoutMs);
    };
    return this.#withThread(executable, work, isReusable);
  }

  #withThread<T>(
    file: CompilerFile,
    work: (thread: CompilerThread) => Promise<T>,
    isReusable: boolean,
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The compiler pool is closed'));
    return new Promise<T>((resolve, reject) => {
      const use = async (thread: CompilerThread) => {
        try {
          resolve(await work(thread));
        } catch (error) {
          reject(error);
        }
        if (!isReusable) await thread.close();
      };
      this.#waiting.push({ file, use, fail: reject });
      this.#assign();
    });
  }

  #assign(): void {
    for (const waiting of [...this.#waiting]) {
      const thread = this.#takeThread(waiting.file);
      if (thread === null) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#busy.add(thread);
      void waiting.use(thread).finally(() => this.#giveBack(thread));
    }
  }

  #takeThread(file: CompilerFile): CompilerThread | null {
    const warm = this.#idle.findLastIndex((thread) => thread.path === file.path && !thread.hasEnded);
    if (warm >= 0) return this.#idle.splice(warm, 1)[0] ?? null;
    if (this.#idle.length + this.#busy.size >= this.#options.workers) {
      const oldest = this.#idle.shift();
      if (oldest === undefined) return null;
      void oldest.close();
    }
    const { memoryLimitMiB, loadTimeoutMs = 60_000 } = this.#options;
    return new CompilerThread(
      { path: file.path, sha256: file.sha256, memoryLimitBytes: memoryLimitMiB * BYTES_PER_MIB },
      { heapMiB: memoryLimitMiB, loadTimeoutMs },
    );
  }

  #giveBack(thread: CompilerThread): void {
    this.#busy.delete(thread);
    if (this.#closed) void thread.close();
    else if (!thread.hasEnded) this.#idle.push(thread);
    this.#assign();
  }
}
