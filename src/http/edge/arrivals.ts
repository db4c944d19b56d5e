import type { Socket } from 'node:net';
import { clientOf } from '../client-address.ts';
import { FairQueue } from './fair-queue.ts';
import { newestAnswerOf } from './newest-answer.ts';
import { RequestByRequest } from './request-by-request.ts';
import type { Turns } from './turns.ts';

/** However many still come: then those that came are read, and work goes on. */
const MAX_HOLD_MS = 40;
/** Connections whose first bytes are read together: as many as can be in a pass, of which this is known afterwards. */
const [MIN_TOGETHER, MAX_TOGETHER] = [1, 64];
/** So many more of those that were read before, most of which have sent nothing. */
const TIMES_AGAIN = 4;
/** So many of each kind are read beside fewer whose turn was cut off: a client with few need not wait for all of these. */
const [MIN_BESIDE, MAX_CUT_OFF] = [2, 24];
/** After a long pass a quarter is read, after any other one this many more: twice as many would soon be too many again. */
const GROWTH = 2;
/** About so long one pass of the event loop reads, and at least so many requests: what takes longer then is not them. */
const [READ_MS, MIN_REQUESTS] = [5, 128];

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
 *
 * Where what is read makes a pass of the event loop long, all connections are read in the same way from then on, until
 * each of them was. A connection that sends requests behind others, and those read in the same way while one does, are
 * read request by request ({@link RequestByRequest}).
 */
export class Arrivals {
  readonly #parts: ArrivalsParts;
  readonly #clock: typeof EVENT_LOOP;
  readonly #open = new Set<Socket>();
  readonly #unread = new FairQueue<Socket>(({ destroyed }) => destroyed);
  /** Read before. Whoever else stopped one may have begun again. */
  readonly #stopped = new FairQueue<Socket>((socket) => socket.destroyed || !socket.isPaused());
  /** Begun to be read in this pass, in this order, and not seen to have been. */
  readonly #begun = new Set<Socket>();
  /** Whose turn a long pass cut off: they are the first of the next one, in the same order. */
  readonly #cutOff: Socket[] = [];
  /** Each parses the next request of a connection, when the one before is answered. */
  readonly #next = new FairQueue<{ readonly socket: Socket; readonly go: () => void }>(
    ({ socket }) => socket.destroyed,
  );
  readonly #byRequest = new RequestByRequest((socket, go) => {
    this.#next.push(clientOf(socket.remoteAddress ?? ''), { socket, go });
    this.#beginLooking();
  });
  /** Some connection has sent requests behind others, since all was quiet. */
  #isPipelined = false;
  /** What is parsed then is bounded by itself. */
  #isGivingTurns = false;
  #together = MAX_TOGETHER;
  /** Null: nothing was read in this pass; infinite: enough was. */
  #readsSince: number | null = null;
  #requests = 0;
  #state: 'quiet' | 'taking' | 'reading' = 'quiet';
  #hasCome = false;
  #heldAt = 0;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? EVENT_LOOP;
  }

  take(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#byRequest.forget(socket);
    });
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

  /**
   * To be called with each request as it is read, if it is not begun at once.
   *
   * @param isBehind another one of its connection
   */
  hasRead(socket: Socket, isBehind = false): void {
    if (this.#begun.has(socket)) this.#haveBeenRead(socket);
    if (this.#isGivingTurns) return;
    if (isBehind && !this.#byRequest.has(socket)) {
      this.#isPipelined = true;
      // Not while it is being parsed.
      setImmediate(() => this.#byRequest.read(socket));
    }
    this.#requests += 1;
    const now = this.#clock.now();
    if (this.#readsSince === null) {
      [this.#readsSince, this.#requests] = [now, 1];
      this.#clock.afterReading(() => {
        this.#readsSince = null;
      });
    } else if (this.#requests > MIN_REQUESTS && now - this.#readsSince > READ_MS) {
      this.#readsSince = Number.POSITIVE_INFINITY;
      // Request by request, as many as before take a short pass.
      if (!this.#isPipelined) this.#together = Math.max(MIN_TOGETHER, Math.floor(this.#together / 4));
      this.#stopReading();
    }
  }

  /** Those before it had sent nothing. */
  #haveBeenRead(last: Socket): void {
    for (const socket of this.#begun) {
      this.#begun.delete(socket);
      if (socket === last) return;
    }
  }

  #stopReading(): void {
    for (const socket of this.#begun) if (isRead(socket)) this.#cutOff.push(socket.pause());
    for (const socket of this.#open)
      if (isRead(socket)) this.#stopped.push(clientOf(socket.remoteAddress ?? ''), socket.pause());
    this.#beginLooking();
  }

  #beginLooking(): void {
    if (this.#state !== 'quiet') return;
    this.#state = 'reading';
    this.#lookLater();
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
    this.#begun.clear();
    const cutOff = this.#cutOff.splice(0).filter(({ destroyed }) => !destroyed);
    for (const socket of cutOff) this.#begin(socket);
    // Bounded, as they would be cut off as well: then those that are served already would have no turn.
    const least = cutOff.length < MAX_CUT_OFF ? MIN_BESIDE : 0;
    const hasMore = this.#read(this.#unread, Math.max(least, this.#together - cutOff.length));
    const hasStopped = this.#read(
      this.#stopped,
      Math.max(least, TIMES_AGAIN * this.#together - cutOff.length),
    );
    const hasNext = this.#giveTurns();
    // One more pass shows what has begun.
    if (hasMore || hasStopped || hasNext || this.#begun.size > 0) this.#lookLater();
    else {
      this.#state = 'quiet';
      this.#isPipelined = false;
    }
    this.#together = Math.min(MAX_TOGETHER, this.#together + GROWTH);
  }

  /** @returns whether there may be more. */
  #read(queue: FairQueue<Socket>, together: number): boolean {
    // One at least: who has most in the room gives way only to what is read, and a health check needs none of it.
    for (let left = Math.min(together, Math.max(1, this.#parts.room())); left >= 1; left -= 1) {
      const socket = queue.shift();
      if (socket === null) return false;
      this.#begin(socket);
    }
    return true;
  }

  /** @returns whether there may be more. */
  #giveTurns(): boolean {
    const endsAt = this.#clock.now() + READ_MS;
    this.#isGivingTurns = true;
    let next = this.#next.shift();
    for (let left = this.#parts.room(); next !== null; left -= 1) {
      next.go();
      if (left <= 1 || this.#clock.now() >= endsAt) break;
      next = this.#next.shift();
    }
    this.#isGivingTurns = false;
    return next !== null;
  }

  #begin(socket: Socket): void {
    if (this.#isPipelined) this.#byRequest.read(socket);
    socket.resume();
    this.#begun.add(socket);
  }
}

/** Whether more requests may come on it; what is left of one that came makes no pass long. */
function isRead(socket: Socket): boolean {
  const isReceiving = newestAnswerOf(socket)?.req.complete === false;
  return !socket.destroyed && !socket.isPaused() && !isReceiving;
}
