/** Gives a slot back; calling it again does nothing. */
type ReleaseSlot = () => void;

interface Waiting {
  readonly grant: (release: ReleaseSlot) => void;
  readonly isReady: () => boolean;
  /** How many were served first although they came later. */
  overtaken: number;
}

/** Nobody waits for more than this many others that came later. */
const MAX_OVERTAKEN = 8;

/**
 * Counts everything that compiles at the same time, worker threads and child processes together.
 *
 * Slots are granted in the order in which they were asked for; who is ready may overtake who is not, a few times.
 *
 * @see design/limits.md section 5
 */
export class CompileSlots {
  readonly #count: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  /** @param count how many may compile at the same time, at least one. */
  constructor(count: number) {
    this.#count = count;
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a slot; the caller releases it when its compilation has ended.
   *
   * @param isReady whether the work could begin at once, for example because its compiler is loaded.
   * @throws the reason of `signal` when that fires before the slot is granted.
   */
  async acquire(signal: AbortSignal, isReady: () => boolean = () => true): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    if (this.#taken < this.#count) return this.#take();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        grant: (release) => {
          signal.removeEventListener('abort', leave);
          resolve(release);
        },
        isReady,
        overtaken: 0,
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #take(): ReleaseSlot {
    this.#taken += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#taken -= 1;
      this.#next()?.grant(this.#take());
    };
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting;
    const ready = this.#waiting.findIndex(({ isReady }) => isReady());
    if (first === undefined || ready <= 0 || first.overtaken >= MAX_OVERTAKEN) return this.#waiting.shift();
    first.overtaken += 1;
    return this.#waiting.splice(ready, 1)[0];
  }
}
