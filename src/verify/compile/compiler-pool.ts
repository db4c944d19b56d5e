import { isBefore } from '../match/version-order.ts';
import { CompileSlots } from './compile-slots.ts';
import type { CompilerExecutable } from './compiler-store.ts';
import { CompilerThread, type RunLimits, type RunResult } from './compiler-thread.ts';
import type { WorkerTask } from './worker-messages.ts';

/** Limits of the pool. */
export interface CompilerPoolOptions {
  /** Threads that may live at the same time; each keeps one compiler warm (about 250 MiB). */
  readonly workers: number;
  /** Memory that one compiler may take, MiB. */
  readonly memoryLimitMiB: number;
  /** Time that loading a compiler may take, milliseconds. Default 60 000. */
  readonly loadTimeoutMs?: number;
  /** Shared with everything else that compiles. Default: as many as threads, for this pool alone. */
  readonly slots?: CompileSlots;
}

type CompilerFile = Pick<CompilerExecutable, 'path' | 'sha256'>;

/** Older compilers give other code when they compile twice in one context (issue 1099 of the reference). */
const FIRST_REUSABLE_VERSION = '0.4.0';
const BYTES_PER_MIB = 1_048_576;
const NEVER = new AbortController().signal;

/**
 * Runs compilations in threads that keep their compiler loaded.
 *
 * A task waits for a slot, then goes to an idle thread that has its compiler, else to a new thread, else to
 * the place of the thread that has been idle longest. The number of running jobs bounds the queue.
 *
 * @see contracts/verification-engine.md section 13
 */
export class CompilerPool {
  readonly #options: CompilerPoolOptions;
  readonly #slots: CompileSlots;
  /** Oldest use first. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  #isClosed = false;

  constructor(options: CompilerPoolOptions) {
    this.#options = options;
    this.#slots = options.slots ?? new CompileSlots(options.workers);
  }

  /**
   * Compiles; a compiler that ran out of memory is tried once more in a fresh thread.
   *
   * @throws the reason of the signal when that fires first; a run that began is ended then.
   */
  async run(executable: CompilerExecutable, task: WorkerTask, limits: RunLimits): Promise<RunResult> {
    const first = await this.#runOnce(executable, task, limits);
    if (first.kind !== 'out_of_memory') return first;
    const timeoutMs = Math.max(1, limits.timeoutMs - first.milliseconds);
    return this.#runOnce(executable, task, { ...limits, timeoutMs });
  }

  /** Loads a compiler and returns its own version text. @throws Error when it cannot be loaded. */
  async version(path: string): Promise<string> {
    return this.#withThread({ path, sha256: null }, NEVER, true, (thread) => thread.version);
  }

  /** Ends all threads; tasks that wait or run are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.close()));
  }

  async #runOnce(executable: CompilerExecutable, task: WorkerTask, limits: RunLimits): Promise<RunResult> {
    const isReusable = !isBefore(executable.version, FIRST_REUSABLE_VERSION);
    return this.#withThread(executable, limits.signal, isReusable, async (thread) => {
      try {
        await thread.version;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { kind: 'crashed', message, milliseconds: 0 };
      }
      return thread.run(task, limits);
    });
  }

  async #withThread<T>(
    file: CompilerFile,
    signal: AbortSignal,
    isReusable: boolean,
    work: (thread: CompilerThread) => Promise<T>,
  ): Promise<T> {
    const release = await this.#slots.acquire(signal);
    try {
      if (this.#isClosed) throw new Error('The compiler pool is closed');
      const thread = this.#takeThread(file);
      this.#busy.add(thread);
      try {
        return await work(thread);
      } finally {
        this.#busy.delete(thread);
        await this.#giveBack(thread, isReusable);
      }
    } finally {
      release();
    }
  }

  #takeThread(file: CompilerFile): CompilerThread {
    const warm = this.#idle.findLastIndex((thread) => thread.path === file.path && !thread.hasEnded);
    const [found] = warm < 0 ? [] : this.#idle.splice(warm, 1);
    if (found !== undefined) return found;
    if (this.#idle.length + this.#busy.size >= this.#options.workers) void this.#idle.shift()?.close();
    const { memoryLimitMiB, loadTimeoutMs = 60_000 } = this.#options;
    return new CompilerThread(
      { path: file.path, sha256: file.sha256, memoryLimitBytes: memoryLimitMiB * BYTES_PER_MIB },
      { heapMiB: memoryLimitMiB, loadTimeoutMs },
    );
  }

  async #giveBack(thread: CompilerThread, isReusable: boolean): Promise<void> {
    if (this.#isClosed || !isReusable) await thread.close();
    else if (!thread.hasEnded) this.#idle.push(thread);
  }
}
