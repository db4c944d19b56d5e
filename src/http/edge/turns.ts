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
  /** Null: it was withdrawn. */
  work: Work | null;
  readonly since: number;
}

interface Link<T> {
  readonly value: T;
  next: Link<T> | null;
}

/** Gives values in order of arrival, without moving the rest, and keeps nothing of what it gave. */
class Queue<T> {
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  push(value: T): void {
    const link: Link<T> = { value, next: null };
    if (this.#last === null) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
  }

  shift(): T | null {
    const first = this.#first;
    if (first === null) return null;
    this.#first = first.next;
    if (this.#first === null) this.#last = null;
    // An old link that is given would keep young ones from being collected early.
    first.next = null;
    return first.value;
  }
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
  readonly #ofClient = new Map<string, Queue<Waiting>>();
  /** Clients that wait, the next one first. */
  readonly #clients = new Queue<string>();
  #endsAt = 0;
  #isGoing = false;
  #isHurried = false;

  constructor(clock = EVENT_LOOP) {
    this.#clock = clock;
  }

  /** Whether work that just arrived may be done at once. Costs a look at the clock. */
  hasTime(): boolean {
    return !this.#isGoing && !this.#isOver();
  }

  /** Does the work in one of the next turns. @returns withdraws it; once it has begun, that changes nothing. */
  wait(work: Work, client = ''): () => void {
    let queue = this.#ofClient.get(client);
    if (queue === undefined) {
      queue = new Queue();
      this.#ofClient.set(client, queue);
      this.#clients.push(client);
    }
    const waiting: Waiting = { work, since: this.#clock.now() };
    queue.push(waiting);
    if (!this.#isGoing) {
      this.#isGoing = true;
      this.#goOnLater();
    }
    return () => {
      waiting.work = null;
    };
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

  /** Takes the next piece; its client comes after all others then. */
  #take(): Waiting | null {
    for (;;) {
      const client = this.#clients.shift();
      if (client === null) return null;
      const queue = this.#ofClient.get(client);
      let first = queue?.shift() ?? null;
      while (first?.work === null) first = queue?.shift() ?? null;
      if (queue?.isEmpty) this.#ofClient.delete(client);
      else this.#clients.push(client);
      if (first !== null) return first;
    }
  }
}
