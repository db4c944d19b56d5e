import { VerifyRequestError } from '../errors.ts';

/** Long look-ups that run at the same time. */
const MAX_CONCURRENT = 16;
const RETRY_SECONDS = 5;

/** A long look-up, which reads a part in each of its turns. */
export interface Scan {
  /** Waits for the next turn; no other scan has one in the same round of the event loop. */
  turn(): Promise<void>;
}

/**
 * Gives look-ups that read whole tables their turns, one in each round of the event loop.
 *
 * Each for itself would make way for others, but a hundred together make a round of a hundred parts, in which nobody
 * hears a health check.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export class ScanScheduler {
  readonly #afterReading: (call: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #isGoing = false;
  #running = 0;

  /** @param afterReading calls back after the event loop has looked for new requests. */
  constructor(afterReading: (call: () => void) => void = (call) => void setImmediate(call)) {
    this.#afterReading = afterReading;
  }

  /**
   * Runs a scan.
   *
   * @throws VerifyRequestError `server_busy` when too many run already.
   */
  async run<T>(scan: (turns: Scan) => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT) {
      throw new VerifyRequestError(
        'server_busy',
        'The server is running its maximum number of searches; try again later.',
        RETRY_SECONDS,
      );
    }
    this.#running += 1;
    try {
      return await scan({ turn: () => this.#turn() });
    } finally {
      this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isGoing) this.#go();
    });
  }

  #go(): void {
    this.#isGoing = true;
    this.#afterReading(() => {
      const next = this.#waiting.shift();
      this.#isGoing = this.#waiting.length > 0;
      next?.();
      if (this.#isGoing) this.#go();
    });
  }
}
