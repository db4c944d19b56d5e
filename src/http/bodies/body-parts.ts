import { SMALL_BODY_BYTES } from './body-budget.ts';

const PART_BYTES = 1_048_576;

/**
 * Collects the pieces of a body.
 *
 * A small body keeps the pieces as they came. A larger one is copied into parts of its own while it arrives: memory
 * grows with what has arrived, nothing is copied at the end, and the parts can be moved to a thread.
 */
export class BodyParts {
  readonly #pieces: Buffer[] = [];
  readonly #parts: Buffer[] = [];
  /** Free bytes at the end of the last part. */
  #free = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= SMALL_BODY_BYTES) return;
    for (const each of this.#pieces.splice(0)) this.#copy(each);
  }

  /** @returns what was collected, in order; nothing is kept. */
  take(): readonly Buffer[] {
    const last = this.#parts.pop();
    if (last === undefined) return this.#pieces.splice(0);
    return [...this.#parts.splice(0), last.subarray(0, last.length - this.#free)];
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#parts.length = 0;
  }

  #copy(piece: Buffer): void {
    let done = 0;
    while (done < piece.length) {
      if (this.#free === 0) {
        // Not from the pool, which others share.
        this.#parts.push(Buffer.allocUnsafeSlow(PART_BYTES));
        this.#free = PART_BYTES;
      }
      const part = this.#parts.at(-1) as Buffer;
      const copied = piece.copy(part, part.length - this.#free, done);
      this.#free -= copied;
      done += copied;
    }
  }
}
