/** Lets requests wait for the end of a job. */
export class JobCompletions {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Wakes everyone who waits for this job. */
  announce(jobId: string): void {
    for (const wake of this.#waiting.get(jobId) ?? []) wake();
  }

  /**
   * Calls `isFinished` at once and after each announcement, until it says true or the time is over.
   *
   * Waiting begins before the first look, so an end between look and wait is not missed.
   */
  async wait(jobId: string, timeoutMs: number, isFinished: () => Promise<boolean>): Promise<void> {
    const { promise, wake } = this.#register(jobId);
    const timer = setTimeout(wake, timeoutMs);
    try {
      if (!(await isFinished())) await promise;
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
