import { Readable } from 'node:stream';
import { isLargeJson, printInPieces } from './json-pieces.ts';

const HIGH_WATER_BYTES = 65_536;

/** A reply of any route, whatever its schema says of the body. */
interface AnyReply {
  type(contentType: string): { send(payload: never): unknown };
}

/**
 * Sends a value as JSON. A large one is printed piece by piece while its client reads: no other request waits for more
 * than a piece, and what is not sent yet is not printed either.
 *
 * @returns what the handler of the route returns.
 * @see docs/adr/0010-admission-and-limits.md
 */
export function sendJson<T>(reply: AnyReply, value: T): T {
  if (!isLargeJson(value)) return value;
  const body = new PiecewiseText(printInPieces(value)) as never;
  return reply.type('application/json; charset=utf-8').send(body) as T;
}

/** A text as a stream that makes one piece of it in a turn of the event loop. */
class PiecewiseText extends Readable {
  readonly #pieces: Iterator<string>;

  constructor(pieces: Iterator<string>) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#pieces = pieces;
  }

  override _read(): void {
    setImmediate(() => {
      if (this.destroyed) return;
      try {
        const { done, value } = this.#pieces.next();
        this.push(done === true ? null : Buffer.from(value));
      } catch (error) {
        this.destroy(error as Error);
      }
    });
  }
}
