import { availableParallelism } from 'node:os';
import { isBefore } from '../../match/version-order.ts';
import type { VerifySettings } from '../../verify-options.ts';
import type { CompilerExecutable } from '../compiler-catalog.ts';
import { CompileSlots } from './compile-slots.ts';
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
  /** A thread without work for this long is ended, so that its memory returns. Milliseconds, default 5 minutes. */
  readonly idleMs?: number;
  /** When threads are replaced by fresh ones. */
  readonly recycling?: RecyclingLimits;
  /** Memory of the process, bytes; a test may pretend. */
  readonly processBytes?: () => number;
}

type CompilerFile = Pick<CompilerExecutable, 'path' | 'sha256'>;

/** The compilers that an area loads, for areas that follow each other. */
export function createCompilerPool(settings: VerifySettings): CompilerPool {
  return new CompilerPool({ workers: workersOf(settings), memoryLimitMiB: settings.compilerMemoryMiB });
}

/** Threads for compilers. Default: one for each processor but that of requests. */
export function workersOf({ workers }: VerifySettings): number {
  return workers ?? Math.max(2, availableParallelism() - 1);
}

/** Older compilers give other code when they compile twice in one context (issue 1099 of the reference). */
const FIRST_REUSABLE_VERSION = '0.4.0';
const IDLE_MS = 300_000;
const BYTES_PER_MIB = 1_048_576;
const NEVER = new AbortController().signal;

/**
 * Runs compilations in threads that keep their compiler loaded.
 *
 * A task waits for a slot, then goes to an idle thread that has its compiler, else to a new thread, else to
 * the place of the thread that has been idle longest. A task whose compiler is loaded may overtake others. The
 * number of running jobs bounds the queue.
 *
 * @see contracts/verification-engine.md section 13
 */
export class CompilerPool {
  readonly #options: CompilerPoolOptions;
  /** Shared with everything else that compiles. */
  readonly slots: CompileSlots;
  /** Oldest use first. */
  readonly #idle: CompilerThread[] = [];
  readonly #busy = new Set<CompilerThread>();
  readonly #idleTimers = new Map<CompilerThread, NodeJS.Timeout>();
  /** Compilers that stay loaded however long they are idle. */
  readonly #preloaded = new Set<string>();
  readonly #isWornOut: (thread: CompilerThread) => boolean;
  #isClosed = false;

  constructor(options: CompilerPoolOptions) {
    this.#options = options;
    this.slots = options.slots ?? new CompileSlots(options.workers);
    this.#isWornOut = createRecycling(
      options.recycling ?? defaultRecyclingLimits(options.workers),
      options.processBytes ?? process.memoryUsage.rss,
      () => performance.now(),
    );
  }

  /** Threads that are alive. */
  get size(): number {
    return this.#idle.length + this.#busy.size;
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

  /**
   * Loads a compiler and returns its own version text.
   *
   * @param staysWarm whether it is likely to be used next; else its thread ends at once. Default true.
   * @throws Error when it cannot be loaded.
   */
  async version(path: string, sha256: string | null = null, staysWarm = true): Promise<string> {
    return this.#withThread({ path, sha256 }, NEVER, staysWarm, (thread) => thread.version);
  }

  /** Loads a compiler that is not ended for being idle. @throws Error when it cannot be loaded. */
  async preload(executable: CompilerExecutable): Promise<void> {
    this.#preloaded.add(executable.path);
    await this.#withThread(executable, NEVER, true, (thread) => thread.version);
  }

  /** Ends all threads; tasks that wait or run are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idleTimers.values()) clearTimeout(timer);
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
    const release = await this.slots.acquire(signal, () => this.#canBegin(file));
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

  /** True when no other compiler has to be ended for this one. */
  #canBegin(file: CompilerFile): boolean {
    return this.size < this.#options.workers || this.#findWarm(file) >= 0;
  }

  /** A file that was replaced has another checksum; its thread still runs the bytes of before. */
  #findWarm({ path, sha256 }: CompilerFile): number {
    return this.#idle.findLastIndex(
      (thread) => thread.path === path && thread.sha256 === sha256 && !thread.hasEnded,
    );
  }

  /** The thread that has been idle longest, a preloaded compiler only when there is no other. */
  #leastMissed(): CompilerThread | undefined {
    return this.#idle.find(({ path }) => !this.#preloaded.has(path)) ?? this.#idle[0];
  }

  #takeThread(file: CompilerFile): CompilerThread {
    const warm = this.#findWarm(file);
    const [found] = warm < 0 ? [] : this.#idle.splice(warm, 1);
    if (found !== undefined) {
      this.#stopTimer(found);
      return found;
    }
    if (this.size >= this.#options.workers) void this.#endIdle(this.#leastMissed());
    const { memoryLimitMiB, loadTimeoutMs = 60_000 } = this.#options;
    return new CompilerThread(
      { path: file.path, sha256: file.sha256, memoryLimitBytes: memoryLimitMiB * BYTES_PER_MIB },
      { heapMiB: memoryLimitMiB, loadTimeoutMs },
    );
  }

  async #giveBack(thread: CompilerThread, isReusable: boolean): Promise<void> {
    if (this.#isClosed || !isReusable || this.#isWornOut(thread)) await thread.close();
    if (thread.hasEnded) return;
    this.#idle.push(thread);
    if (this.#preloaded.has(thread.path)) return;
    const timer = setTimeout(() => void this.#endIdle(thread), this.#options.idleMs ?? IDLE_MS);
    this.#idleTimers.set(thread, timer.unref());
  }

  #stopTimer(thread: CompilerThread): void {
    clearTimeout(this.#idleTimers.get(thread));
    this.#idleTimers.delete(thread);
  }

  async #endIdle(thread: CompilerThread | undefined): Promise<void> {
    if (thread === undefined) return;
    this.#stopTimer(thread);
    this.#idle.splice(this.#idle.indexOf(thread), 1);
    await thread.close();
  }
}

/** When threads are ended although their compiler is still warm. */
type RecyclingLimits = Readonly<ReturnType<typeof defaultRecyclingLimits>>;

const MIB = 1_048_576;

/** Fits compilers of today: a large project through the IR takes 60 to 150 MiB. */
function defaultRecyclingLimits(workers: number) {
  return {
    /** A compiler never gives memory back, so one that took more than this is not kept. Bytes. */
    threadBytes: 256 * MIB,
    /** Tasks of one thread. */
    runs: 1000,
    /** Memory of the whole process. Above it the thread that worked last is not kept. Bytes. */
    processBytes: (400 + workers * 200) * MIB,
    /** A process that stays above its limit loses no more than one thread in this time. Milliseconds. */
    processPauseMs: 60_000,
  };
}

/**
 * Decides after each task whether a thread is kept.
 *
 * @param processBytes memory of the whole process now: threads cannot be measured one by one.
 * @param now milliseconds of a steady clock.
 * @see design/limits.md section 5
 */
export function createRecycling(
  limits: RecyclingLimits,
  processBytes: () => number,
  now: () => number,
): (thread: Pick<CompilerThread, 'runs' | 'memoryBytes'>) => boolean {
  let lastForProcess = Number.NEGATIVE_INFINITY;
  return ({ runs, memoryBytes }) => {
    if (runs >= limits.runs || memoryBytes > limits.threadBytes) return true;
    if (processBytes() <= limits.processBytes) return false;
    // Other parts of the server may hold the memory; without a pause no compiler would ever be warm.
    if (now() - lastForProcess < limits.processPauseMs) return false;
    lastForProcess = now();
    return true;
  };
}
