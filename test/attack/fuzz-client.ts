import type { Socket } from 'node:net';
import { AnswerReader, type ReadAnswer } from './answer-reader.ts';
import { shapeFault } from './error-shapes.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import { connectAsStranger, requestBytes } from './raw-connection.ts';

/** Something that must not happen, with the request after which it did. */
export interface Finding {
  readonly what: string;
  readonly request: FuzzRequest;
}

export interface FuzzResult {
  readonly findings: readonly Finding[];
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly connections: number;
}

export interface FuzzSettings {
  readonly url: string;
  readonly next: () => FuzzRequest;
  readonly requests: number;
  readonly connections: number;
  /** Pairs of request and probe that are sent together. */
  readonly pipelined: number;
  readonly patienceMs: number;
}

const PROBE = requestBytes('GET', '/health/liveness');
const MAX_FINDINGS = 20;
/** What is not built, and what there is no room for. */
const DELIBERATE: ReadonlySet<number> = new Set([501, 503]);

/** Sends each request with a probe after it on the same connection, over a number of connections. */
export async function fuzz(settings: FuzzSettings): Promise<FuzzResult> {
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const again: FuzzRequest[] = [];
  let [made, connections] = [0, 0];
  const take = (): FuzzRequest | null => {
    const waiting = again.pop();
    if (waiting !== undefined) return waiting;
    if (made >= settings.requests || findings.length >= MAX_FINDINGS) return null;
    made += 1;
    return settings.next();
  };
  const find = (what: string, request: FuzzRequest) => findings.push({ what, request });

  /** One batch on one connection. @returns whether the connection can be used again. */
  async function exchange(connection: FuzzConnection, batch: readonly FuzzRequest[]): Promise<boolean> {
    const answers = await connection.send(batch, settings.patienceMs);
    for (const [index, request] of batch.entries()) {
      const [answer, probe] = [answers[2 * index], answers[2 * index + 1]];
      if (answer === undefined) {
        if (request.isFramed || connection.ending === 'hung')
          find(`${connection.ending}, no answer`, request);
        again.push(...batch.slice(index + 1));
        return false;
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status >= 500 && !DELIBERATE.has(answer.status)) find(`answered ${answer.status}`, request);
      const fault = shapeFault(request.bytes, answer);
      if (fault !== null) find(fault, request);
      if (answer.status === 503 && !/\r\nretry-after: *\d/i.test(answer.head) && !isHealth(request)) {
        find('answered 503 without Retry-After', request);
      }
      if (answer.isLast || !request.isFramed) {
        again.push(...batch.slice(index + 1));
        return false;
      }
      if (probe === undefined || probe.status !== 200) {
        find(`then ${probe?.status ?? connection.ending}`, request);
        again.push(...batch.slice(index + 1));
        return false;
      }
    }
    return true;
  }

  await Promise.all(
    Array.from({ length: settings.connections }, async () => {
      let connection: FuzzConnection | null = null;
      for (;;) {
        const batch: FuzzRequest[] = [];
        while (batch.length < settings.pipelined) {
          const request = take();
          if (request === null) break;
          // What no parser takes goes alone: its refusal must not be taken for an answer of its neighbours.
          if (!request.isFramed && batch.length > 0) {
            again.push(request);
            break;
          }
          batch.push(request);
          if (!request.isFramed) break;
        }
        if (batch.length === 0) break;
        connection ??= new FuzzConnection(settings.url);
        connections += connection.isNew ? 1 : 0;
        if (!(await exchange(connection, batch))) {
          connection.close();
          connection = null;
        }
      }
      connection?.close();
    }),
  );
  return { findings, statuses, connections };
}

/** Readiness is for a balancer, which polls anyway. */
function isHealth({ bytes }: FuzzRequest): boolean {
  return bytes.subarray(0, 200).toString('latin1').includes('health');
}

class FuzzConnection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  readonly #answers: ReadAnswer[] = [];
  #wake = () => {};
  isNew = true;
  /** `hung` until something ended the connection. */
  ending = 'hung';

  constructor(url: string) {
    this.#socket = connectAsStranger(url);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => {
      try {
        this.#answers.push(...this.#reader.read(chunk));
        this.#wake();
      } catch (error) {
        // What follows cannot be attributed any more.
        this.#end(`garbled (${(error as Error).message})`);
      }
    });
    this.#socket.on('error', () => this.#end('reset'));
    this.#socket.on('end', () => this.#end('closed'));
  }

  /** Two answers for each request, fewer when the connection ended. */
  async send(batch: readonly FuzzRequest[], patienceMs: number): Promise<readonly ReadAnswer[]> {
    this.isNew = false;
    this.#answers.length = 0;
    const parts = batch.flatMap(({ bytes, method, isFramed }) => {
      this.#reader.expect(method);
      if (!isFramed) return [bytes];
      this.#reader.expect('GET');
      return [bytes, PROBE];
    });
    const wanted = parts.length;
    this.#socket.write(Buffer.concat(parts));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, patienceMs);
    while (this.#answers.length < wanted && this.ending === 'hung' && !isLate) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    return [...this.#answers];
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(how: string): void {
    if (this.ending === 'hung') this.ending = how;
    this.#wake();
  }
}
