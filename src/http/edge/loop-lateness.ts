const LOOK_EVERY_MS = 100;

/** Measures how late the event loop is, from one call to `begin` to the next of `end`. */
export class LoopClock {
  /** Milliseconds when it last looked at the clock; 0 when it was in time. */
  ms = 0;
  #timer: NodeJS.Timeout | null = null;

  begin(): void {
    let due = performance.now() + LOOK_EVERY_MS;
    this.end();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.ms = Math.max(0, now - due);
      due = now + LOOK_EVERY_MS;
    }, LOOK_EVERY_MS).unref();
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.ms = 0;
  }
}
