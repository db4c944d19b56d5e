/** From one attempt to the next. */
const STEP_MS = 20;

/**
 * Does work again as long as SQLite refuses it at once because another process is in its way.
 *
 * @param patienceMs after which the refusal is thrown
 * @param sleep holds this thread up. Default: it does
 */
export function whileBusy<T>(work: () => T, patienceMs: number, sleep: (ms: number) => void = sleepHere): T {
  for (let left = patienceMs; ; left -= STEP_MS) {
    try {
      return work();
    } catch (error) {
      if (left <= 0 || (error as { readonly code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      sleep(STEP_MS);
    }
  }
}

function sleepHere(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
