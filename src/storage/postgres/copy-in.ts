import type pg from 'pg';

/** What of pg's connection sends rows; its type declarations leave it out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * A statement `copy … from stdin` with its rows, as a client of pg runs it.
 *
 * All rows are handed to the socket when the database asks for them: they are in memory anyway. When it refuses one of
 * them it drops the others, and the connection goes on.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export class CopyIn implements pg.Submittable {
  /** Ends with the statement. @throws Error of the database. */
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #chunks: Buffer[];
  #resolve = (): void => {};
  #reject: (error: Error) => void = () => {};

  /** @param chunks rows in the format of the statement; they are emptied */
  constructor(text: string, chunks: Buffer[]) {
    this.#text = text;
    this.#chunks = chunks;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The client puts its own in the place of this where queries have a time limit. */
  callback: (error?: Error) => void = () => {};

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    // Each is copied into its message: it need not stay until the last one is.
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      connection.sendCopyFromChunk(chunk);
    }
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback();
    this.#resolve();
  }

  handleError(error: Error): void {
    this.callback(error);
    this.#reject(error);
  }
}
