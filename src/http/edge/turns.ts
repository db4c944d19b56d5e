import { FairQueue } from './fair-queue.ts';

/** One turn's share of time: liveness is read between two of them. */
const TURN_MS = 5;

/**
 * Does a piece of work.
 *
 * @param waitedMs since it was ready.
 * @returns whether all of it is done; otherwise promises continue with it.
 */
type Work = (waitedMs: number) => boolean;

interface Waiting {
  /** Null: it was withdrawn. */
  work: Work | null;
  readonly since: number;
}

/** What the turns take from the runtime. */
const EVENT_LOOP = {
  now: () => performance.now(),
  /** Calls back after the event loop has looked for new requests. */
  afterReading: (call: () => void): void => void setImmediate(call),
  /** Calls back when what promises have to do now is done: their queue is emptied before the next tick. */
  afterPromises: (call: () => void): void => queueMicrotask(() => process.nextTick(call)),
};

/**
 * Bounds the work of one turn of the event loop: what arrives while there is time left is done at once, the rest waits
 * for the turns after: one piece of each client in turn, those of a client in order of arrival.
 *
 * Without it, hundreds of connections with a request each make one turn of as many answers, during which nobody hears
 * a health check.
 */
export class Turns {
  readonly #clock: typeof EVENT_LOOP;
  readonly #waiting = new FairQueue<Waiting>(({ work }) => work === null);
  #endsAt = 0;
  #isGoing = false;
  /** Null: they are not held. */
  #heldAt: number | null = null;
  /** Milliseconds of work before the next hold, if any waits. */
  #dueMs = 0;

  constructor(clock = EVENT_LOOP) {
    this.#clock = clock;
  }

  /** Whether work that just arrived may be done at once. Costs a look at the clock. */
  hasTime(): boolean {
    return !this.#isGoing && this.#heldAt === null && !this.#isOver();
  }

  /** Does the work in one of the next turns. @returns withdraws it; once it has begun, that changes nothing. */
  wait(work: Work, client = ''): () => void {
    const waiting: Waiting = { work, since: this.#clock.now() };
    this.#waiting.push(client, waiting);
    if (!this.#isGoing) {
      this.#isGoing = true;
      this.#goOnLater();
    }
    return () => {
      waiting.work = null;
    };
  }

  /** Begins no work until it may go on. @returns false: first what waits has as much time as the last hold took. */
  hold(): boolean {
    if (this.#isGoing && this.#dueMs > 0) return false;
    this.#heldAt ??= this.#clock.now();
    return true;
  }

  goOn(): void {
    if (this.#heldAt === null) return;
    // Not even short ones may follow each other without a turn in between.
    this.#dueMs = Math.max(1, this.#clock.now() - this.#heldAt);
    this.#heldAt = null;
  }

  #begin(): void {
    if (this.#heldAt !== null) {
      this.#goOnLater();
      return;
    }
    this.#dueMs -= TURN_MS;
    this.#endsAt = this.#clock.now() + TURN_MS;
    this.#go();
  }

  #go(): void {
    for (;;) {
      const first = this.#waiting.shift();
      if (first === null) break;
      const isDone = first.work?.(this.#clock.now() - first.since) ?? true;
      if (this.#isOver()) {
        this.#goOnLater();
        return;
      }
      if (!isDone) {
        this.#clock.afterPromises(() => (this.#isOver() ? this.#goOnLater() : this.#go()));
        return;
      }
    }
    this.#isGoing = false;
  }

  #isOver(): boolean {
    return this.#clock.now() >= this.#endsAt;
  }

  #goOnLater(): void {
    this.#clock.afterReading(() => this.#begin());
  }
}
