/** Lets requests wait for the end of a job. */
export class JobCompletions {
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Unfinished jobs that were waited for; forgotten when they end. */
  readonly #waitedFor = new Set<string>();

  /** Unfinished jobs that are remembered. */
  get size(): number {
    return this.#waitedFor.size;
  }

  /** Wakes everyone who waits for this job. */
  announce(jobId: string): void {
    this.#waitedFor.delete(jobId);
    for (const wake of this.#waiting.get(jobId) ?? []) wake();
  }

  /**
   * Waits until a job is announced or the time is over; not at all when `isFinished` says true or when the
   * job was waited for before.
   *
   * Waiting begins before the first look, so an end between look and wait is not missed.
   */
  async waitOnce(jobId: string, timeoutMs: number, isFinished: () => Promise<boolean>): Promise<void> {
    if (this.#waitedFor.has(jobId)) return;
    this.#waitedFor.add(jobId);
    const { promise, wake } = this.#register(jobId);
    const timer = setTimeout(wake, timeoutMs);
    try {
      if (await isFinished()) this.#waitedFor.delete(jobId);
      else await promise;
    } finally {
      clearTimeout(timer);
      this.#remove(jobId, wake);
    }
  }

  /** Wakes everyone: the server stops. */
  close(): void {
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
