import type { Socket } from 'node:net';
import { clientOf } from '../client-address.ts';
import { Shares } from '../client-shares.ts';

/** Of the connections that there may be, those kept for health checks: at most this many, and no more than a quarter. */
const MAX_FOR_HEALTH = 32;

/** Ends a connection without a request, if it finds one that may end: among these, or else among some of all. */
type EndIdle = (mayEnd: (socket: Socket) => boolean, among?: Iterable<Socket>) => Socket | null;

/**
 * Bounds the connections of all ports, so that files are left for the database, compilers and chains.
 *
 * When there is no room, a connection without a request ends for the new one; when all are busy, the last places are
 * for health checks alone, and the client that gives way loses a busy connection for other requests or when the last
 * place is taken. While a client has more than half of the places, it alone pays. Behind a proxy all clients are one,
 * and only those that pass it by end something.
 */
export class ConnectionBudget {
  readonly #most: number;
  readonly #forAll: number;
  /** Each with its client. */
  readonly #open = new Map<Socket, string>();
  readonly #shares: Shares<Socket>;
  /** In the last places, each with what ends a connection without a request. */
  readonly #crowded = new Map<Socket, EndIdle>();

  /** @param most of all ports together; null: no bound. */
  constructor(most: number | null) {
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#forAll = most === null ? this.#most : most - Math.min(MAX_FOR_HEALTH, Math.ceil(most / 4));
    this.#shares = new Shares(this.#forAll);
  }

  get open(): number {
    return this.#open.size;
  }

  /** Takes a connection in. @returns whether there is a place; otherwise it was destroyed. */
  take(socket: Socket, endIdle: EndIdle): boolean {
    const client = clientOf(socket.remoteAddress ?? '');
    const hasPlace =
      this.#hasPlaceForAll ||
      this.#endIdle(client, endIdle) ||
      this.#open.size < this.#most ||
      this.#endIdle(client, endIdle, this.#crowded) ||
      this.#endBusy(client, this.#crowded) ||
      this.#endBusy(client);
    if (!hasPlace) {
      socket.destroy();
      return false;
    }
    // The one that ended for it may have been in one of the last places.
    if (!this.#hasPlaceForAll) this.#crowded.set(socket, endIdle);
    this.#open.set(socket, client);
    this.#shares.add(client, socket, 1);
    socket.once('close', () => this.#forget(socket));
    return true;
  }

  get #hasPlaceForAll(): boolean {
    return this.#open.size - this.#crowded.size < this.#forAll;
  }

  /** @param crowded where one in the last places is to end. */
  #endIdle(client: string, endIdle: EndIdle, crowded?: ReadonlyMap<Socket, EndIdle>): boolean {
    const own = this.#shares.of(client);
    const payer = this.#shares.payerFor(own);
    const only = payer !== null && payer.amount > this.#forAll / 2 ? payer.items : null;
    const mayEnd = (other: Socket): boolean =>
      this.#crowded.has(other) === (crowded !== undefined) &&
      (only?.has(other) ?? !this.#shares.spares(this.#open.get(other) ?? '', own));
    return this.#giveUp(endIdle(mayEnd, crowded?.keys()));
  }

  /** Ends the oldest connection of the client that gives way, above a quarter. @param crowded where one in the last places is to end. */
  #endBusy(client: string, crowded?: ReadonlyMap<Socket, EndIdle>): boolean {
    const payer = this.#shares.payerFor(this.#shares.of(client));
    const items = payer !== null && payer.amount > this.#forAll / 4 ? payer.items : null;
    for (const socket of crowded?.keys() ?? items ?? [])
      if (items?.has(socket) && this.#crowded.has(socket) === (crowded !== undefined))
        return this.#giveUp(socket);
    return false;
  }

  #giveUp(ended: Socket | null): boolean {
    if (ended === null) return false;
    ended.destroy();
    // Its file is free already; waiting for its `close` would turn away the rest of a burst that comes in one turn.
    this.#forget(ended);
    return true;
  }

  #forget(socket: Socket): void {
    const client = this.#open.get(socket);
    if (client === undefined) return;
    this.#open.delete(socket);
    this.#crowded.delete(socket);
    this.#shares.delete(client, socket, 1);
  }

  /**
   * Whether only health checks are answered on a connection.
   *
   * To be called for every other request, as a connection does not show what comes on it: where another one can end for
   * the place, it ends now.
   */
  isCrowded(socket: Socket): boolean {
    const endIdle = this.#crowded.get(socket);
    if (endIdle === undefined) return false;
    const client = this.#open.get(socket) ?? '';
    const hasPlace = this.#hasPlaceForAll || this.#endIdle(client, endIdle) || this.#endBusy(client);
    if (hasPlace) this.#crowded.delete(socket);
    return !hasPlace;
  }
}
