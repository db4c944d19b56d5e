/** One turn's share of time: liveness is read between two of them. */
const TURN_MS = 5;
/** While clients connect, turns are short: each takes one connection of a port, whatever waits. */
const HURRIED_TURN_MS = 0.5;

/**
 * Does a piece of work.
 *
 * @param waitedMs since it was ready.
 * @returns whether all of it is done; otherwise promises continue with it.
 */
type Work = (waitedMs: number) => boolean;

interface Waiting {
  readonly work: Work;
  readonly since: number;
}

interface Queue {
  readonly waiting: Waiting[];
  /** Work before this place is done. */
  next: number;
}

/** Done work that a queue keeps at most. */
const MAX_DONE = 1024;

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
  /** Of each client that waits, the next one first. */
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #endsAt = 0;
  #isGoing = false;
  #isHurried = false;

  constructor(clock = EVENT_LOOP) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether work that just arrived may be done at once. Costs a look at the clock. */
  hasTime(): boolean {
    return !this.#isGoing && this.#clock.now() < this.#endsAt;
  }

  /** Does the work in one of the next turns. */
  wait(work: Work, client = ''): void {
    const queue = this.#queues.get(client) ?? { waiting: [], next: 0 };
    queue.waiting.push({ work, since: this.#clock.now() });
    this.#queues.set(client, queue);
    this.#waiting += 1;
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.#clock.afterReading(() => this.#begin());
  }

  /** Makes the next turn come soon, since somebody connected and others may wait for that. */
  hurry(): void {
    this.#isHurried = true;
    this.#endsAt = Math.min(this.#endsAt, this.#clock.now() + HURRIED_TURN_MS);
  }

  #begin(): void {
    this.#endsAt = this.#clock.now() + (this.#isHurried ? HURRIED_TURN_MS : TURN_MS);
    this.#isHurried = false;
    this.#go();
  }

  #go(): void {
    for (;;) {
      const first = this.#take();
      if (first === null) break;
      const isDone = first.work(this.#clock.now() - first.since);
      if (this.#clock.now() >= this.#endsAt) {
        this.#clock.afterReading(() => this.#begin());
        return;
      }
      if (!isDone) {
        this.#clock.afterPromises(() => this.#go());
        return;
      }
    }
    this.#isGoing = false;
  }

  /** Takes the next piece; its client comes after all others then. */
  #take(): Waiting | null {
    for (const [client, queue] of this.#queues) {
      this.#queues.delete(client);
      const first = queue.waiting[queue.next];
      if (first === undefined) continue;
      queue.next += 1;
      this.#waiting -= 1;
      // Moving the rest to the front each time would cost more than most work.
      if (queue.next === MAX_DONE) queue.waiting.splice(0, MAX_DONE);
      queue.next %= MAX_DONE;
      if (queue.next < queue.waiting.length) this.#queues.set(client, queue);
      return first;
    }
    return null;
  }
}
