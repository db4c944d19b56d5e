import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Shares } from '../client-shares.ts';
import type { HeldBody } from './held-body.ts';

/** Of a request with its response, and of each header beside its text. Measured: 2,305 to 2,503, and up to 119. */
const [REQUEST_BYTES, HEADER_BYTES] = [2500, 120];
/** Of what holds its body. Measured: up to 611. */
const HOLDER_BYTES = 620;
/** Bodies, which are outside the heap. */
const MAX_BODY_BYTES = 67_108_864;
/** Larger ones may fill half of a room, or a few clients with such would have all others closed. */
const LARGE_BYTES = 8192;
/** A head with ten lines, and what is read of a body that waits. */
const [USUAL_HEAD_BYTES, ENOUGH_BODY_BYTES] = [4096, 131_072];
/** Part of a room. */
const SPARED = 0.25;
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

/** A head of 14 KB takes 17 KB in one line, and 96 KB in 1,500; trailers take the same. */
function headBytes({ rawHeaders, rawTrailers, url = '' }: IncomingMessage, body: HeldBody | null): number {
  let texts = url.length;
  for (const { length } of rawHeaders) texts += length;
  for (const { length } of rawTrailers) texts += length;
  const lines = (rawHeaders.length + rawTrailers.length) / 2;
  return REQUEST_BYTES + (body === null ? 0 : HOLDER_BYTES) + lines * HEADER_BYTES + texts;
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

  readonly #maxBytes: number;

  /** @param maxBytes of heads. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#spaces = {
      head: new Space(maxBytes),
      largeHead: new Space(maxBytes / 2),
      body: new Space(MAX_BODY_BYTES),
      largeBody: new Space(MAX_BODY_BYTES / 2),
    };
  }

  /** How many more requests of usual size fit, with some of the room left for larger ones. */
  get places(): number {
    const { head, body } = this.#spaces;
    return -Math.max(
      head.missingFor(SPARED * this.#maxBytes) / USUAL_HEAD_BYTES,
      body.missingFor(SPARED * MAX_BODY_BYTES) / ENOUGH_BODY_BYTES,
    );
  }

  /** How many requests of a connection are in it. */
  of(socket: Socket): number {
    return this.#places.get(socket)?.requests.size ?? 0;
  }

  /** Whose connection it is; null when nothing of it is in the room. */
  clientOf(socket: Socket): string | null {
    return this.#places.get(socket)?.client ?? null;
  }

  /**
   * Takes a request in, or counts it anew.
   *
   * @param body as much as is held of it.
   * @returns whether it has a place; otherwise its connection was closed.
   */
  take(request: IncomingMessage, client: string, body: HeldBody | null): boolean {
    const { socket } = request;
    if (socket.destroyed) return false;
    const place = this.#places.get(socket) ?? this.#open(socket, client);
    const held = heldBy(headBytes(request, body), body?.bytes ?? 0);
    // Until there is room for it, it holds nothing.
    if (place.requests.has(request)) this.#set(request, place, NOTHING);
    if (
      KINDS.some((kind) => this.#spaces[kind].missingFor(held[kind]) > 0) &&
      !this.#makeRooms(place, held)
    ) {
      this.#close(socket);
      return false;
    }
    this.#set(request, place, held);
    return true;
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

  #makeRooms(place: Place, held: Held): boolean {
    const payers = KINDS.map((kind) => this.#payersFor(kind, place, held[kind]));
    if (payers.includes(null)) return false;
    for (const [index, kind] of KINDS.entries()) this.#makeRoom(kind, held[kind], payers[index] ?? []);
    return true;
  }

  /** @returns connections of which as many can end as are needed; null when there are none, so that nothing ends in vain. */
  #payersFor(kind: keyof Held, place: Place, bytes: number): Iterable<Socket> | null {
    const space = this.#spaces[kind];
    if (space.missingFor(bytes) <= 0) return [];
    const { shares } = space;
    const own = shares.ofClients.get(place.client);
    // At least twice what is missing.
    const payer = shares.payerFor((own?.amount ?? 0) + bytes);
    if (payer !== null) return payer.items;
    let [largest, most]: [Socket | null, number] = [null, 2 * (place.sum[kind] + bytes)];
    for (const socket of firstOf(own?.items ?? [])) {
      const held = this.#heldBy(socket, kind);
      if (held >= most && this.of(socket) > 1) [largest, most] = [socket, held];
    }
    return largest === null ? null : [largest];
  }

  #makeRoom(kind: keyof Held, bytes: number, payers: Iterable<Socket>): void {
    const space = this.#spaces[kind];
    let isOver = space.missingFor(bytes) <= 0;
    while (!isOver) {
      const looked = firstOf(payers).sort(
        (one, other) => this.#heldBy(other, kind) - this.#heldBy(one, kind),
      );
      for (const socket of looked) {
        this.#close(socket);
        if (space.missingFor(bytes) <= 0) break;
      }
      isOver = looked.length < MAX_LOOKS || space.missingFor(bytes) <= 0;
    }
  }

  #heldBy(socket: Socket, kind: keyof Held): number {
    return this.#places.get(socket)?.sum[kind] ?? 0;
  }

  #set(request: IncomingMessage, { client, requests, sum }: Place, held: Held): void {
    const known = requests.get(request) ?? NOTHING;
    for (const kind of KINDS) {
      const more = held[kind] - known[kind];
      if (more === 0) continue;
      this.#spaces[kind].add(client, request.socket, more);
      sum[kind] += more;
      // Of those that hold nothing, none need be looked at.
      if (sum[kind] === 0) this.#spaces[kind].shares.delete(client, request.socket, 0);
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
    this.#places.delete(socket);
  }
}

function firstOf(sockets: Iterable<Socket>): Socket[] {
  const first: Socket[] = [];
  for (const socket of sockets) {
    if (first.length === MAX_LOOKS) break;
    first.push(socket);
  }
  return first;
}
