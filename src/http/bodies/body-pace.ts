import type { Readable } from 'node:stream';

/** Of all bodies in one pass of the event loop: some milliseconds, in which no other client is heard. */
const PASS_BYTES = 262_144;

/**
 * Bounds what is read of bodies in one pass of the event loop, which takes up to 2 MB of each connection at once where
 * clients send faster than it reads.
 */
export class BodyPace {
  readonly #waiting = new Set<Readable>();
  readonly #afterPass: (call: () => void) => void;
  #bytes = 0;

  constructor(afterPass: (call: () => void) => void = setImmediate) {
    this.#afterPass = afterPass;
  }

  /** To be called with each piece of a body. What is beyond the bound waits for the next pass. */
  hasRead(body: Readable, bytes: number): void {
    if (this.#bytes === 0) this.#afterPass(() => this.#goOn());
    this.#bytes += bytes;
    if (this.#bytes > PASS_BYTES) this.#waiting.add(body.pause());
  }

  #goOn(): void {
    this.#bytes = 0;
    for (const body of this.#waiting) {
      this.#waiting.delete(body);
      body.resume();
    }
  }
}
