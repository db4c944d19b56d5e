import type { Socket } from 'node:net';

/** Of the connections that there may be, those kept for health checks: at most this many, and no more than a quarter. */
const MAX_FOR_HEALTH = 32;

/**
 * Bounds the connections of all ports, so that files are left for the database, compilers and chains.
 *
 * When there is no room, a connection without a request ends for the new one; when all are busy, the last places are
 * for health checks alone.
 */
export class ConnectionBudget {
  readonly #most: number;
  readonly #forAll: number;
  readonly #open = new Set<Socket>();
  readonly #crowded = new WeakSet<Socket>();

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
   * @param endIdle ends a connection without a request. @returns it; null when there is none.
   * @returns whether there is a place; otherwise it was destroyed.
   */
  take(socket: Socket, endIdle: () => Socket | null): boolean {
    if (this.#open.size >= this.#most) {
      socket.destroy();
      return false;
    }
    if (this.#open.size >= this.#forAll) {
      const ended = endIdle();
      // Its file is free already; waiting for its `close` would turn away the rest of a burst that comes in one turn.
      if (ended !== null) this.#open.delete(ended);
      else this.#crowded.add(socket);
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return true;
  }

  /** Whether only health checks are answered on a connection. */
  isCrowded(socket: Socket): boolean {
    return this.#crowded.has(socket);
  }
}
