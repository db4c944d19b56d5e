import type { IncomingMessage } from 'node:http';

/** With so much, nothing more is read from the connection than what one read brings. */
const ENOUGH_BYTES = 65_536;
const FIRST_BYTES = 1024;
const EMPTY = Buffer.alloc(0);

/**
 * What arrives of a body before its request is begun, in one piece: left to the stream, each chunk and each segment would
 * be an object of 200 bytes, however short.
 */
export class HeldBody {
  /** Called when it or its request takes more memory. */
  grew = (): void => {};
  readonly #request: IncomingMessage;
  #memory: Buffer = EMPTY;
  #length = 0;
  #isWhole = false;

  constructor(request: IncomingMessage) {
    this.#request = request;
    // What Node's parser gives the stream; false stops it until the stream is read.
    request.push = (piece: Buffer | null) => {
      if (piece === null) this.#end();
      else this.#add(piece);
      return this.#length < ENOUGH_BYTES;
    };
  }

  get bytes(): number {
    return this.#memory.length;
  }

  /** Gives the stream what has arrived, and what comes from now on. */
  release(): void {
    const request: Partial<Pick<IncomingMessage, 'push'>> = this.#request;
    delete request.push;
    const [memory, length] = [this.#memory, this.#length];
    // The closures of its request may outlive it.
    [this.#memory, this.#length] = [EMPTY, 0];
    // Exact, since the budget of bodies counts its length.
    if (length > 0)
      this.#request.push(length < memory.length ? Buffer.from(memory.subarray(0, length)) : memory);
    if (this.#isWhole) this.#request.push(null);
  }

  /** Its request was refused: what still arrives is thrown away. */
  drop(): void {
    this.#request.push = () => true;
    [this.#memory, this.#length] = [EMPTY, 0];
  }

  #end(): void {
    this.#isWhole = true;
    // They are in the heap, and came with the end.
    if (this.#request.rawTrailers.length > 0) this.grew();
  }

  #add(piece: Buffer): void {
    const length = this.#length + piece.length;
    const mustGrow = length > this.#memory.length;
    if (mustGrow) {
      const memory = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, length, 2 * this.#memory.length));
      this.#memory.copy(memory, 0, 0, this.#length);
      this.#memory = memory;
    }
    piece.copy(this.#memory, this.#length);
    this.#length = length;
    if (mustGrow) this.grew();
  }
}

/** @returns null for a request without a body. */
export function holdBody(request: IncomingMessage): HeldBody | null {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== '0') ? new HeldBody(request) : null;
}
