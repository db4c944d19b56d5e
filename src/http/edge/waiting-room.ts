import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Shares } from '../client-shares.ts';

/** Only thousands of connections get there. */
const MAX_REQUESTS = 40_000;
/** Of a request with its response, and of each header beside its text. Measured: 2,368 to 2,503, and up to 119. */
const [REQUEST_BYTES, HEADER_BYTES] = [2500, 120];
/** What Node reads of a body at most before its request is served, outside the heap (measured: 81,919). */
const [MAX_READ_BYTES, MAX_BODY_BYTES] = [81_920, 134_217_728];
/** Of the heap: the chunks of one read. Measured with one byte in each: 2,184,000. */
const CHUNKS_BYTES = 2_228_224;
/** A larger request may fill half of the room, or a few clients with such would have all others closed. */
const LARGE_REQUEST_BYTES = 8192;
/** Of a client's connections, in search of the one that holds most: all of thousands would take milliseconds. */
const MAX_LOOKS = 512;

/** What requests hold before they are begun. */
interface Held {
  readonly count: number;
  /** Of the heap. */
  readonly bytes: number;
  /** Outside of it. */
  readonly bodyBytes: number;
}

const NOTHING: Held = { count: 0, bytes: 0, bodyBytes: 0 };

/** What one connection has in the room. */
interface Place {
  readonly client: string;
  readonly requests: Map<IncomingMessage, Held>;
  /** As a share of the room. */
  amount: number;
}

export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** A head of 14 KB takes 17 KB in one line, and 96 KB in 1,500. */
function heldBy(request: IncomingMessage): Held {
  const { headers, rawHeaders, url = '' } = request;
  const texts = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  const bytes = REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES + texts;
  if (isChunked(request)) return { count: 1, bytes: bytes + CHUNKS_BYTES, bodyBytes: MAX_READ_BYTES };
  return { count: 1, bytes, bodyBytes: Math.min(Number(headers['content-length'] ?? 0), MAX_READ_BYTES) };
}

function change(held: Held, by: Held, sign: 1 | -1): Held {
  return {
    count: held.count + sign * by.count,
    bytes: held.bytes + sign * by.bytes,
    bodyBytes: held.bodyBytes + sign * by.bodyBytes,
  };
}

/**
 * The requests that are not begun: those that wait for their turn and those behind others of their connection. When it
 * is full, the client with most gives way (see {@link Shares}); otherwise the connection of the same client that holds
 * most, if that is at least twice as much.
 */
export class WaitingRoom {
  readonly #maxBytes: number;
  readonly #places = new Map<Socket, Place>();
  readonly #shares = new Shares<Socket>(1);
  readonly #followed = new WeakSet<Socket>();
  #all = NOTHING;

  /** @param maxBytes of the heap. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many requests of a connection are in it. */
  of(socket: Socket): number {
    return this.#places.get(socket)?.requests.size ?? 0;
  }

  /** Takes a request in. @returns whether there is a place; otherwise its connection was closed. */
  take(request: IncomingMessage, client: string): boolean {
    const { socket } = request;
    const held = heldBy(request);
    const isPossible = this.#fits(NOTHING, held);
    while (!this.#fits(this.#all, held)) {
      const ended = isPossible ? this.#whoGivesWay(socket, client, held) : null;
      this.#forget(ended ?? socket);
      (ended ?? socket).destroy();
      if (ended === null) return false;
    }
    this.#set(request, client, held);
    return true;
  }

  /** What was not in it, or not any more, changes nothing. */
  leave(request: IncomingMessage): void {
    const place = this.#places.get(request.socket);
    if (place?.requests.has(request)) this.#set(request, place.client, NOTHING);
  }

  /** Makes one piece of what was read of a chunked body, and counts that: each chunk is an object, however short. */
  joinChunks(request: IncomingMessage): void {
    const place = this.#places.get(request.socket);
    const held = place?.requests.get(request);
    if (place === undefined || held === undefined) return;
    // Reading an empty one would end it before anybody listens.
    if (request.readableLength > 0) request.unshift(request.read());
    const bytes = held.bytes - CHUNKS_BYTES;
    this.#set(request, place.client, { count: 1, bytes, bodyBytes: request.readableLength });
  }

  #fits(all: Held, held: Held): boolean {
    const isWithin = (sum: number, own: number, most: number) =>
      own === 0 || sum + own <= (own > LARGE_REQUEST_BYTES ? most / 2 : most);
    return (
      all.count + held.count <= MAX_REQUESTS &&
      isWithin(all.bytes, held.bytes, this.#maxBytes) &&
      isWithin(all.bodyBytes, held.bodyBytes, MAX_BODY_BYTES)
    );
  }

  #whoGivesWay(socket: Socket, client: string, held: Held): Socket | null {
    const own = this.#shares.ofClients.get(client);
    const amount = this.#shareOf(held);
    const payer = this.#shares.payerFor((own?.amount ?? 0) + amount);
    let most = payer === null ? 2 * ((this.#places.get(socket)?.amount ?? 0) + amount) : 0;
    let [ended, left]: [Socket | null, number] = [null, MAX_LOOKS];
    for (const each of (payer ?? own)?.items ?? []) {
      const other = this.#places.get(each)?.amount ?? 0;
      if (other >= most) [ended, most] = [each, other];
      left -= 1;
      if (left === 0) break;
    }
    return ended;
  }

  #set(request: IncomingMessage, client: string, held: Held): void {
    const { socket } = request;
    const place = this.#places.get(socket) ?? { client, requests: new Map(), amount: 0 };
    const before = place.requests.get(request) ?? NOTHING;
    const amount = this.#shareOf(held) - this.#shareOf(before);
    this.#all = change(change(this.#all, held, 1), before, -1);
    place.amount += amount;
    this.#shares.add(place.client, socket, amount);
    this.#places.set(socket, place);
    if (held.count > 0) place.requests.set(request, held);
    else place.requests.delete(request);
    if (place.requests.size === 0) {
      this.#places.delete(socket);
      this.#shares.delete(place.client, socket, place.amount);
    }
    if (this.#followed.has(socket)) return;
    this.#followed.add(socket);
    // Node reports no end of the requests behind a CONNECT.
    socket.once('close', () => this.#forget(socket));
  }

  #shareOf({ bodyBytes, bytes, count }: Held): number {
    return count / MAX_REQUESTS + bytes / this.#maxBytes + bodyBytes / MAX_BODY_BYTES;
  }

  #forget(socket: Socket): void {
    for (const request of this.#places.get(socket)?.requests.keys() ?? []) this.leave(request);
  }
}
