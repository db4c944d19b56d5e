import type { Socket } from 'node:net';
import { clientOf } from '../client-address.ts';

/** Of the connections that there may be, those kept for health checks: at most this many, and no more than a quarter. */
const MAX_FOR_HEALTH = 32;

/** Ends a connection without a request. */
type EndIdle = (mayEnd: (socket: Socket) => boolean) => Socket | null;

/**
 * Bounds the connections of all ports, so that files are left for the database, compilers and chains.
 *
 * When there is no room, a connection without a request ends for the new one; when all are busy, the last places are
 * for health checks alone. A client with more than half of the places pays for all others: while there is one, only
 * its connections end, also busy ones, for other requests of others or when the last place is taken. Behind a proxy
 * all clients are one, and only those that pass it by end something.
 */
export class ConnectionBudget {
  readonly #most: number;
  readonly #forAll: number;
  readonly #open = new Set<Socket>();
  readonly #ofClient = new Map<string, Set<Socket>>();
  /** Those of the last client that had more than half of the places. */
  #greedy: ReadonlySet<Socket> = new Set();
  /** In the last places, each with what ends a connection without a request. */
  readonly #crowded = new Map<Socket, EndIdle>();

  /** @param most of all ports together; null: no bound. */
  constructor(most: number | null) {
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#forAll = most === null ? this.#most : most - Math.min(MAX_FOR_HEALTH, Math.ceil(most / 4));
  }

  get open(): number {
    return this.#open.size;
  }

  /**
   * Takes a connection in.
   *
   * @param endIdle ends a connection without a request that may end. @returns it; null when there is none.
   * @returns whether there is a place; otherwise it was destroyed.
   */
  take(socket: Socket, endIdle: EndIdle): boolean {
    const client = clientOf(socket.remoteAddress ?? '');
    if (this.#open.size >= this.#forAll && !this.#endIdle(endIdle)) {
      const hasPlace =
        this.#open.size < this.#most ||
        (this.#paysFor(client) && this.#endBusy((other) => this.#crowded.has(other)));
      if (!hasPlace) {
        socket.destroy();
        return false;
      }
    }
    // The one that ended for it may have been in one of the last places.
    if (!this.#hasPlaceForAll) this.#crowded.set(socket, endIdle);
    const own = this.#ofClient.get(client) ?? new Set();
    this.#ofClient.set(client, own.add(socket));
    if (this.#isGreedy(own)) this.#greedy = own;
    this.#open.add(socket);
    socket.once('close', () => this.#forget(socket, client));
    return true;
  }

  get #hasPlaceForAll(): boolean {
    return this.#open.size - this.#crowded.size < this.#forAll;
  }

  #endIdle(endIdle: EndIdle): boolean {
    const greedy = this.#isGreedy(this.#greedy) ? this.#greedy : null;
    return this.#giveUp(endIdle((other) => greedy?.has(other) ?? true));
  }

  #paysFor(client: string): boolean {
    return this.#isGreedy(this.#greedy) && this.#greedy !== this.#ofClient.get(client);
  }

  /** Of those preferred, if there are any, the oldest. */
  #endBusy(isPreferred: (socket: Socket) => boolean): boolean {
    for (const socket of this.#greedy) if (isPreferred(socket)) return this.#giveUp(socket);
    const [oldest = null] = this.#greedy;
    return this.#giveUp(oldest);
  }

  #giveUp(ended: Socket | null): boolean {
    if (ended === null) return false;
    ended.destroy();
    // Its file is free already; waiting for its `close` would turn away the rest of a burst that comes in one turn.
    this.#forget(ended, clientOf(ended.remoteAddress ?? ''));
    return true;
  }

  #isGreedy({ size }: ReadonlySet<Socket>): boolean {
    return size > this.#forAll / 2;
  }

  #forget(socket: Socket, client: string): void {
    this.#open.delete(socket);
    this.#crowded.delete(socket);
    const own = this.#ofClient.get(client);
    own?.delete(socket);
    if (own?.size === 0) this.#ofClient.delete(client);
  }

  /**
   * Whether only health checks are answered on a connection.
   *
   * Asked of every other request, as a connection does not show what comes on it: where a greedy client pays for the
   * place, one of its connections ends now.
   */
  isCrowded(socket: Socket): boolean {
    const endIdle = this.#crowded.get(socket);
    if (endIdle === undefined) return false;
    const hasPlace =
      this.#hasPlaceForAll ||
      (this.#paysFor(clientOf(socket.remoteAddress ?? '')) &&
        ((this.#endIdle(endIdle) && this.#hasPlaceForAll) ||
          this.#endBusy((other) => !this.#crowded.has(other))));
    if (hasPlace) this.#crowded.delete(socket);
    return !hasPlace;
  }
}
