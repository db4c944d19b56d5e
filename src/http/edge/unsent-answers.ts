import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { shareHeap } from '../bodies/heap-room.ts';
import { PACK_AT_ONCE_BYTES } from '../packing.ts';

/** What an answer takes beside its bytes. */
const OVERHEAD_BYTES = 2048;
/** A client may take this long for its first byte before it counts as slow. */
const GRACE_MS = 1000;

/** An answer that was made and is not taken yet. */
interface Unsent {
  readonly socket: Socket;
  readonly since: number;
  /** Bytes that the client had taken of the connection by then. */
  readonly takenBefore: number;
  /** What is held until it is sent, whatever the connection has of it; 0: what the connection has. */
  readonly sourceBytes: number;
  bytes: number;
}

/**
 * Bounds what the answers of a process hold in memory while their clients do not read them.
 *
 * Above the capacity the connection whose client reads slowest ends, until an eighth is free. As long as there is room,
 * a client may read as slowly as it likes.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export class UnsentAnswers {
  readonly #capacityBytes: number;
  readonly #now: () => number;
  readonly #unsent = new Map<ServerResponse, Unsent>();
  /** Those of one connection: of the answers that wait for their turn on it none hears that it closes. */
  readonly #ofSocket = new WeakMap<Socket, Set<ServerResponse>>();
  #bytes = 0;
  #ended = 0;

  /** @param capacityBytes what answers may hold altogether after they were made. */
  constructor(capacityBytes = shareHeap().unsentAnswers, now: () => number = () => performance.now()) {
    this.#capacityBytes = capacityBytes;
    this.#now = now;
  }

  /** At most this much is held; clients may have taken some of it since. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Connections that ended because their clients did not read. */
  get ended(): number {
    return this.#ended;
  }

  /**
   * Counts an answer until it is sent or its connection closes.
   *
   * @param sourceBytes that it is made of while it is sent. Default: only what the connection has of it counts.
   */
  watch(response: ServerResponse, sourceBytes = 0): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const known = this.#unsent.get(response);
    const bytes = OVERHEAD_BYTES + Math.max(response.writableLength, sourceBytes, known?.sourceBytes ?? 0);
    if (known === undefined) {
      const [since, takenBefore] = [this.#now(), takenOf(socket)];
      this.#unsent.set(response, { socket, since, takenBefore, sourceBytes, bytes });
      this.#answersOf(socket).add(response);
      response.once('finish', () => this.#forget(response));
    } else {
      this.#bytes -= known.bytes;
      known.bytes = bytes;
    }
    this.#bytes += bytes;
    if (this.#bytes > this.#capacityBytes) this.#makeRoom();
  }

  #forget(response: ServerResponse): void {
    const unsent = this.#unsent.get(response);
    if (unsent === undefined) return;
    this.#unsent.delete(response);
    this.#ofSocket.get(unsent.socket)?.delete(response);
    this.#bytes -= unsent.bytes;
  }

  #answersOf(socket: Socket): Set<ServerResponse> {
    const known = this.#ofSocket.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<ServerResponse>();
    this.#ofSocket.set(socket, answers);
    socket.once('close', () => {
      for (const response of answers) this.#forget(response);
    });
    return answers;
  }

  #makeRoom(): void {
    for (const [response, unsent] of this.#unsent) {
      const held = OVERHEAD_BYTES + Math.max(response.writableLength, unsent.sourceBytes);
      this.#bytes += held - unsent.bytes;
      unsent.bytes = held;
    }
    if (this.#bytes <= this.#capacityBytes) return;
    const now = this.#now();
    const slowestFirst = [...this.#unsent]
      .map(([response, unsent]) => ({ response, unsent, rank: rankOf(unsent, now) }))
      .sort((one, other) => one.rank - other.rank || one.unsent.since - other.unsent.since);
    for (const { response, unsent } of slowestFirst) {
      if (this.#bytes <= this.#capacityBytes * (7 / 8)) return;
      if (!unsent.socket.destroyed) this.#ended += 1;
      // Nothing else tells its client that the answer is not whole.
      unsent.socket.destroy();
      this.#forget(response);
    }
  }
}

/** Bytes per millisecond; those that were just made come last. */
function rankOf({ socket, since, takenBefore }: Unsent, now: number): number {
  const age = now - since;
  if (age < GRACE_MS) return Number.POSITIVE_INFINITY;
  return (takenOf(socket) - takenBefore) / age;
}

function takenOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/** The answers of a server that report when the system has not taken all of them at once. */
export function watchedAnswers(unsent: UnsentAnswers): typeof ServerResponse<IncomingMessage> {
  return class WatchedAnswer extends ServerResponse<IncomingMessage> {
    override end(...body: unknown[]): this {
      super.end(...(body as Parameters<ServerResponse['end']>));
      if (this.writableLength > 0) unsent.watch(this);
      return this;
    }
  } as typeof ServerResponse<IncomingMessage>;
}

/**
 * Looks after what is sent while its client reads. To be added before compression.
 *
 * What is compressed meanwhile is counted: until then all of it is held. A connection that is kept has its last answer
 * until the next, whose listeners lead to that text: they go when the answer is over.
 */
export function watchSources(app: FastifyInstance, unsent: UnsentAnswers): void {
  app.addHook('onSend', (request, { raw }, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    const isSentAtOnce =
      payload === null || payload === undefined || (isText && payload.length <= PACK_AT_ONCE_BYTES);
    if (!isSentAtOnce) {
      if (isText && request.headers['accept-encoding'] !== undefined) unsent.watch(raw, payload.length);
      raw.once('close', () => letGo(raw));
    }
    done(null, payload);
  });
}

/** Something may still write to it, which does no harm any more. */
function letGo(response: ServerResponse): void {
  response.removeAllListeners().on('error', () => {});
}
