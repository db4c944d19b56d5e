import type { Socket } from 'node:net';
import { clientOf } from '../client-address.ts';
import { FairQueue } from './fair-queue.ts';
import type { Turns } from './turns.ts';

/** However many still come: then those that came are read, and work goes on. */
const MAX_HOLD_MS = 40;
/** Connections whose first bytes are read together. */
const READ_TOGETHER = 64;

/** What it takes from the runtime. */
const EVENT_LOOP = {
  now: () => performance.now(),
  /** Calls back after the event loop has taken a connection of each port that has one, and read the others. */
  afterReading: (call: () => void): void => void setImmediate(call),
};

interface ArrivalsParts {
  readonly turns: Pick<Turns, 'hold' | 'goOn'>;
  /** For how many requests there is room. */
  readonly room: () => number;
  readonly clock?: typeof EVENT_LOOP;
}

/**
 * Takes all connections that wait before requests are worked on: the event loop takes one of a port in a turn, and with
 * work in each of them the last of some hundreds, perhaps a health check, would wait for seconds. Then they are read,
 * clients in turn, as there is room for their requests: the rest waits in the sockets.
 */
export class Arrivals {
  readonly #parts: ArrivalsParts;
  readonly #clock: typeof EVENT_LOOP;
  readonly #unread = new FairQueue<Socket>(({ destroyed }) => destroyed);
  #state: 'quiet' | 'taking' | 'reading' = 'quiet';
  #hasCome = false;
  #heldAt = 0;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? EVENT_LOOP;
  }

  take(socket: Socket): void {
    this.#hasCome = true;
    const isQuiet = this.#state === 'quiet';
    // Then it is mostly the only one, and read at once.
    if (!isQuiet) {
      this.#unread.push(clientOf(socket.remoteAddress ?? ''), socket);
      // Node itself begins to read it after this.
      process.nextTick(() => socket.pause());
    }
    if (this.#state === 'taking' || !this.#parts.turns.hold()) return;
    this.#heldAt = this.#clock.now();
    this.#state = 'taking';
    if (isQuiet) this.#lookLater();
  }

  #lookLater(): void {
    this.#clock.afterReading(() => this.#look());
  }

  #look(): void {
    if (this.#state === 'taking') {
      if (this.#hasCome && this.#clock.now() - this.#heldAt <= MAX_HOLD_MS) {
        this.#hasCome = false;
        this.#lookLater();
        return;
      }
      this.#parts.turns.goOn();
      this.#state = 'reading';
    }
    // One at least: who has most in the room gives way only to what is read, and a health check needs none of it.
    for (let left = Math.min(READ_TOGETHER, Math.max(1, this.#parts.room())); left >= 1; left -= 1) {
      const socket = this.#unread.shift();
      if (socket === null) {
        this.#state = 'quiet';
        return;
      }
      socket.resume();
    }
    this.#lookLater();
  }
}
