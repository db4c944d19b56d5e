import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../threads/start-thread.ts';
import { CpuStopWatch, chargedMs, threadCpuMs } from '../cpu-time.ts';
import { splitTexts } from './text-pieces.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask } from './worker-messages.ts';

/** Eight times the default: old compilers walk through long expressions by recursion. Only what is used takes memory. */
const STACK_MIB = 32;

/** What a closed thread may take to load its compiler; nearly all take less than half a second. */
const LOADED_WITHIN_MS = 3_000;

/**
 * How a run in a worker ended. Times are milliseconds of compiling without waiting and loading: processor time, or that
 * of the clock where the system does not tell.
 */
export type RunResult =
  | Extract<WorkerAnswer, { readonly kind: 'result' }>
  | {
      readonly kind: 'timeout' | 'out_of_memory' | 'crashed';
      readonly message: string;
      readonly milliseconds: number;
    };

/** When a run is ended before its own end. */
export interface RunLimits {
  /** Processor time that the compiler may use; five times as long by the clock. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * One thread with one loaded compiler.
 *
 * It works on one task at a time. After anything but a result it is unusable and has ended itself.
 */
export class CompilerThread {
  readonly path: string;
  /** SHA-256 of the bytes that were loaded, hex; null for files checked at installation. */
  readonly sha256: string | null;
  /** What the compiler says about itself; rejects when it cannot be loaded. */
  readonly version: Promise<string>;
  readonly #worker: Worker;
  #settle: ((answer: WorkerAnswer | RunResult) => void) | null = null;
  #ended = false;
  #runs = 0;
  #memoryBytes = 0;
  #threadId: number | null = null;

  constructor(setup: WorkerSetup, limits: { readonly heapMiB: number; readonly loadTimeoutMs: number }) {
    this.path = setup.path;
    this.sha256 = setup.sha256;
    // Old compilers print warnings of V8 that are none of the operator's business.
    this.#worker = startThread('verify/compile/pool/compiler-worker', {
      data: setup,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB, stackSizeMb: STACK_MIB },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.version = this.#start(limits.loadTimeoutMs);
    // The thread may end before anybody asks for the version.
    this.version.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** How many tasks had a result. */
  get runs(): number {
    return this.#runs;
  }

  /** What the compiler had taken after its last task, bytes; 0 when not known. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * Runs one task; ends the thread when it takes longer than `timeoutMs` or when the signal fires.
   *
   * @throws the reason of the signal.
   */
  async run(task: WorkerTask, { timeoutMs, signal }: RunLimits): Promise<RunResult> {
    signal.throwIfAborted();
    const watch = new CpuStopWatch({
      cpuMs: () => threadCpuMs(this.#threadId),
      wallMs: () => performance.now(),
    });
    const answered = new Promise<WorkerAnswer | RunResult>((resolve) => {
      this.#settle = resolve;
    });
    const end = (kind: 'timeout' | 'crashed', message: string) =>
      this.#settle?.({ kind, message, milliseconds: watch.usedMs });
    const unwatch = watch.limit(timeoutMs, () => end('timeout', 'The time limit was reached'));
    const stop = () => end('crashed', 'The run was stopped');
    signal.addEventListener('abort', stop, { once: true });
    await this.#send(task);
    const answer = await answered;
    unwatch();
    signal.removeEventListener('abort', stop);
    this.#settle = null;
    if (answer.kind === 'result') {
      this.#runs += 1;
      this.#memoryBytes = answer.memoryBytes ?? 0;
      return answer;
    }
    const milliseconds = chargedMs(answer.kind, watch.usedMs, timeoutMs);
    await this.close();
    signal.throwIfAborted();
    if (answer.kind === 'fault') return { kind: answer.reason, message: answer.message, milliseconds };
    if (answer.kind !== 'ready') return { ...answer, milliseconds };
    return { kind: 'crashed', message: 'The compiler started twice', milliseconds };
  }

  /** Copying a large input takes as long as many requests: they have their turns between its pieces. */
  async #send({ input, ...task }: WorkerTask): Promise<void> {
    const { input: rest, batches } = splitTexts(input);
    for (const batch of batches) {
      this.#worker.postMessage(batch);
      await setImmediate();
    }
    this.#worker.postMessage({ input: rest, ...task });
  }

  /** Ends the thread, once its compiler is loaded: Node 24 dies when a thread is terminated that loads WebAssembly. */
  async close(): Promise<void> {
    this.#ended = true;
    const loaded = this.version.catch(() => {});
    await Promise.race([loaded, pause(LOADED_WITHIN_MS, undefined, { ref: false })]);
    await this.#worker.terminate();
  }

  #start(loadTimeoutMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`Loading ${this.path} took longer than ${loadTimeoutMs} ms`));
        void this.close();
      }, loadTimeoutMs);
      this.#worker.on('message', (answer: WorkerAnswer) => {
        if (answer.kind !== 'ready') {
          this.#settle?.(answer);
          return;
        }
        clearTimeout(timer);
        this.#threadId = answer.threadId;
        resolve(answer.version);
      });
      const stop = (error: Error) => {
        this.#ended = true;
        clearTimeout(timer);
        reject(error);
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const kind = isMemory ? 'out_of_memory' : 'crashed';
        this.#settle?.({ kind, message: error.message, milliseconds: 0 });
      };
      this.#worker.on('error', stop);
      this.#worker.on('exit', (code) => stop(new Error(`The compiler thread ended with code ${code}`)));
    });
  }
}
