/** An answer that came whole. */
export interface ReadAnswer {
  readonly status: number;
  /** Status line and header lines. */
  readonly head: string;
  /** Bytes of the body as sent. */
  readonly bodyBytes: number;
  /** The body of an error, as sent; null for other answers, whose bodies are counted alone. */
  readonly body: string | null;
  /** Whether the server says that the connection ends with it. */
  readonly isLast: boolean;
}

const FIRST_ERROR = 400;

/** Cuts what comes over a connection into its answers; bodies are counted, and kept of errors alone. @see RFC 9112 section 6.3 */
export class AnswerReader {
  #rest: Buffer = Buffer.alloc(0);
  #methods: string[] = [];
  /** Bytes of the body that are still to come, and the answer that waits for them. */
  #pending: { answer: ReadAnswer; bytes: number; isChunked: boolean } | null = null;

  /** Notes that a request was sent: answers come in that order. */
  expect(method: string): void {
    this.#methods.push(method);
  }

  /** How many of them have no answer yet. */
  get missing(): number {
    return this.#methods.length;
  }

  /** Begins again, for a new connection. */
  forget(): void {
    this.#rest = Buffer.alloc(0);
    this.#methods = [];
    this.#pending = null;
  }

  /** @throws Error when the bytes are no HTTP. */
  read(chunk: Buffer): readonly ReadAnswer[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const answers: ReadAnswer[] = [];
    for (;;) {
      const answer = this.#pending === null ? this.#readHead() : this.#readBody();
      if (answer === null) return answers;
      if (answer !== 'more') {
        answers.push(answer);
        this.#methods.shift();
      }
    }
  }

  #readHead(): ReadAnswer | 'more' | null {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const head = this.#rest.toString('latin1', 0, end);
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Error(`Not an answer: ${head.slice(0, 80)}`);
    this.#rest = this.#rest.subarray(end + 4);
    if (status < 200) return 'more';
    const isLast = /\r\nconnection: *close/i.test(head);
    const hasBody = this.#methods[0] !== 'HEAD' && status !== 204 && status !== 304;
    const length = hasBody ? Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0) : 0;
    const isChunked = hasBody && /\r\ntransfer-encoding: *chunked/i.test(head);
    const body = status >= FIRST_ERROR ? '' : null;
    this.#pending = { answer: { status, head, bodyBytes: length, body, isLast }, bytes: length, isChunked };
    return 'more';
  }

  #readBody(): ReadAnswer | 'more' | null {
    const pending = this.#pending!;
    if (!pending.isChunked) {
      if (this.#rest.length < pending.bytes) return null;
      const { answer } = pending;
      const body = answer.body === null ? null : this.#rest.toString('utf8', 0, pending.bytes);
      this.#rest = this.#rest.subarray(pending.bytes);
      this.#pending = null;
      return { ...answer, body };
    }
    const end = this.#rest.indexOf('\r\n');
    if (end === -1) return null;
    const size = Number.parseInt(this.#rest.toString('latin1', 0, end), 16);
    if (Number.isNaN(size)) throw new Error('Not a chunk');
    if (this.#rest.length < end + 2 + size + 2) return null;
    const { answer } = pending;
    if (answer.body !== null) {
      pending.answer = {
        ...answer,
        body: answer.body + this.#rest.toString('utf8', end + 2, end + 2 + size),
      };
    }
    this.#rest = this.#rest.subarray(end + 2 + size + 2);
    pending.bytes += size;
    if (size > 0) return 'more';
    this.#pending = null;
    return { ...pending.answer, bodyBytes: pending.bytes };
  }
}
