import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Shares } from '../client-shares.ts';

/** Of a request with its response, and of each header beside its text. Measured: 2,368 to 2,503, and up to 119. */
const [REQUEST_BYTES, HEADER_BYTES] = [2500, 120];
/** Bodies, which are outside the heap. */
const MAX_BODY_BYTES = 67_108_864;
/** Larger ones may fill half of a room, or a few clients with such would have all others closed. */
const LARGE_BYTES = 8192;
/** Connections of a client, in search of the one that holds most: to look at thousands would take milliseconds. */
const MAX_LOOKS = 512;

const KINDS = ['head', 'largeHead', 'body', 'largeBody'] as const;
/** Bytes of heads, which are in the heap, and of bodies; of the large ones a second time. */
type Held = Record<(typeof KINDS)[number], number>;

function heldBy(head: number, body: number): Held {
  const large = (bytes: number) => (bytes > LARGE_BYTES ? bytes : 0);
  return { head, largeHead: large(head), body, largeBody: large(body) };
}

const NOTHING: Held = heldBy(0, 0);

/** A head of 14 KB takes 17 KB in one line, and 96 KB in 1,500. */
function headBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  const texts = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  return REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES + texts;
}

/** What one connection has in the room. */
interface Place {
  readonly client: string;
  readonly requests: Map<IncomingMessage, Held>;
  readonly sum: Held;
}

/** Bytes of one kind. */
class Space {
  readonly #most: number;
  readonly shares: Shares<Socket>;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.shares = new Shares(most);
  }

  /** How many bytes others would have to give; none when it is not above zero. */
  missingFor(bytes: number): number {
    return this.#taken + bytes - this.#most;
  }

  add(client: string, socket: Socket, bytes: number): void {
    this.#taken += bytes;
    this.shares.add(client, socket, bytes);
  }
}

/**
 * Requests that are not begun, by what they hold. When it is full, the client with most gives way (see {@link Shares});
 * if none does, the connection of the same client whose several requests hold most, if that is at least twice as much.
 */
export class WaitingRoom {
  readonly #spaces: Readonly<Record<keyof Held, Space>>;
  readonly #places = new Map<Socket, Place>();
  readonly #followed = new WeakSet<Socket>();

  /** @param maxBytes of heads. */
  constructor(maxBytes: number) {
    this.#spaces = {
      head: new Space(maxBytes),
      largeHead: new Space(maxBytes / 2),
      body: new Space(MAX_BODY_BYTES),
      largeBody: new Space(MAX_BODY_BYTES / 2),
    };
  }

  /** How many requests of a connection are in it. */
  of(socket: Socket): number {
    return this.#places.get(socket)?.requests.size ?? 0;
  }

  /**
   * Takes a request in, or counts it anew.
   *
   * @param bodyBytes that are held of its body.
   * @returns whether it has a place; otherwise its connection was closed.
   */
  take(request: IncomingMessage, client: string, bodyBytes: number): boolean {
    const { socket } = request;
    const place = this.#places.get(socket) ?? this.#open(socket, client);
    const before = place.requests.get(request);
    const held = heldBy(before?.head ?? headBytes(request), bodyBytes);
    // Until there is room for it, it holds nothing.
    this.#set(request, place, NOTHING);
    if (KINDS.every((kind) => this.#makeRoom(socket, place, kind, held[kind]))) {
      this.#set(request, place, held);
      return true;
    }
    this.#close(socket);
    return false;
  }

  /** What was not in it, or not any more, changes nothing. */
  leave(request: IncomingMessage): void {
    const place = this.#places.get(request.socket);
    if (place?.requests.has(request) !== true) return;
    this.#set(request, place, NOTHING);
    place.requests.delete(request);
    if (place.requests.size === 0) this.#forget(request.socket);
  }

  #open(socket: Socket, client: string): Place {
    const place = { client, requests: new Map(), sum: { ...NOTHING } };
    this.#places.set(socket, place);
    if (!this.#followed.has(socket)) {
      this.#followed.add(socket);
      // Node reports no end of the requests behind a CONNECT.
      socket.once('close', () => this.#forget(socket));
    }
    return place;
  }

  /** Nothing ends in vain. */
  #makeRoom(socket: Socket, place: Place, kind: keyof Held, bytes: number): boolean {
    if (bytes === 0) return true;
    const space = this.#spaces[kind];
    for (let missing = space.missingFor(bytes); missing > 0; missing = space.missingFor(bytes)) {
      const own = space.shares.ofClients.get(place.client);
      const asked = (own?.amount ?? 0) + bytes;
      const payer = space.shares.payerFor(asked);
      if (payer !== null && payer.amount - missing < asked) return false;
      const ended =
        payer === null
          ? this.#largest(kind, own, { bytes: 2 * (place.sum[kind] + bytes), requests: 2 })
          : this.#largest(kind, payer, { bytes: 1, requests: 1 });
      if (ended === null || ended === socket) return false;
      this.#close(ended);
    }
    return true;
  }

  /** @param least what it has at least. */
  #largest(
    kind: keyof Held,
    of: { readonly items: Iterable<Socket> } | undefined,
    least: { readonly bytes: number; readonly requests: number },
  ): Socket | null {
    let [largest, most, left]: [Socket | null, number, number] = [null, least.bytes, MAX_LOOKS];
    for (const socket of of?.items ?? []) {
      const { requests, sum } = this.#places.get(socket) ?? { requests: { size: 0 }, sum: NOTHING };
      if (requests.size >= least.requests && sum[kind] >= most) [largest, most] = [socket, sum[kind]];
      left -= 1;
      if (left === 0) break;
    }
    return largest;
  }

  #set(request: IncomingMessage, { client, requests, sum }: Place, held: Held): void {
    for (const kind of KINDS) {
      const before = requests.get(request)?.[kind] ?? 0;
      if (held[kind] === before) continue;
      this.#spaces[kind].add(client, request.socket, held[kind] - before);
      sum[kind] += held[kind] - before;
    }
    requests.set(request, held);
  }

  #close(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    const place = this.#places.get(socket);
    if (place === undefined) return;
    for (const request of place.requests.keys()) this.#set(request, place, NOTHING);
    for (const kind of KINDS) this.#spaces[kind].shares.delete(place.client, socket, 0);
    this.#places.delete(socket);
  }
}
