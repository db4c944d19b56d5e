import { type StartTimer, systemTimer } from '../../../values/repetition.ts';

/** How a request waits for the end of a job. */
interface CompletionWait {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Asked at the beginning and from time to time: another process may end the job unannounced. */
  readonly isFinished: () => Promise<boolean>;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

const RECHECK_MS = 1000;
/** Beyond this the oldest are forgotten; their next request is held again, which is harmless. */
const MAX_REMEMBERED = 10_000;

/** Lets requests wait for the end of a job. */
export class JobCompletions {
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Unfinished jobs whose state was asked for; forgotten when they end. */
  readonly #asked = new Set<string>();
  readonly #startTimer: StartTimer;
  #isOpen = true;

  /** @param startTimer ends waiting. Default: the timer of the operating system. */
  constructor(startTimer: StartTimer = systemTimer) {
    this.#startTimer = startTimer;
  }

  /** Unfinished jobs that are remembered. */
  get size(): number {
    return this.#asked.size;
  }

  /** Requests that wait now. */
  get waiters(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Remembers that the state of an unfinished job was asked for. @returns true the first time. */
  noteRequest(jobId: string): boolean {
    if (this.#asked.has(jobId)) return false;
    const [oldest] = this.#asked;
    if (this.#asked.size >= MAX_REMEMBERED && oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.add(jobId);
    return true;
  }

  /** Wakes everyone who waits for this job: it has ended. */
  announce(jobId: string): void {
    this.#asked.delete(jobId);
    for (const wake of this.#waiting.get(jobId) ?? []) wake();
  }

  /**
   * Waits until a job is announced, found finished, the time is over or the client is gone.
   *
   * Waiting begins before the first look, so an end between look and wait is not missed.
   */
  async wait(jobId: string, { timeoutMs, isFinished, signal }: CompletionWait): Promise<void> {
    if (!this.#isOpen || signal.aborted) return;
    const { promise, wake } = this.#register(jobId);
    const look = async () => {
      if (!(await isFinished())) return;
      this.#asked.delete(jobId);
      wake();
    };
    let fault: unknown = null;
    const lookAgain = () =>
      void look().catch((error: unknown) => {
        fault = error;
        wake();
      });
    const cancel = this.#startTimer(wake, timeoutMs);
    const recheck = setInterval(lookAgain, RECHECK_MS);
    signal.addEventListener('abort', wake, { once: true });
    try {
      await look();
      await promise;
    } finally {
      cancel();
      clearInterval(recheck);
      signal.removeEventListener('abort', wake);
      this.#remove(jobId, wake);
    }
    if (fault !== null) throw fault;
  }

  /** Wakes everyone and lets nobody wait any more: the server stops. */
  close(): void {
    this.#isOpen = false;
    for (const jobId of [...this.#waiting.keys()]) this.announce(jobId);
  }

  #register(jobId: string): { readonly promise: Promise<void>; readonly wake: () => void } {
    let wake = () => {};
    const promise = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const set = this.#waiting.get(jobId) ?? new Set();
    this.#waiting.set(jobId, set.add(wake));
    return { promise, wake };
  }

  #remove(jobId: string, wake: () => void): void {
    const set = this.#waiting.get(jobId);
    set?.delete(wake);
    if (set?.size === 0) this.#waiting.delete(jobId);
  }
}
