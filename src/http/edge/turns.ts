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
 * in order of arrival for the turns after.
 *
 * Without it, hundreds of connections with a request each make one turn of as many answers, during which nobody hears
 * a health check.
 */
export class Turns {
  readonly #clock: typeof EVENT_LOOP;
  readonly #waiting: { readonly work: Work; readonly since: number }[] = [];
  /** Work before this place is done. */
  #next = 0;
  #endsAt = 0;
  #isGoing = false;
  #isHurried = false;

  constructor(clock = EVENT_LOOP) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Whether work that just arrived may be done at once. Costs a look at the clock. */
  hasTime(): boolean {
    return !this.#isGoing && this.#clock.now() < this.#endsAt;
  }

  /** Does the work in one of the next turns. */
  wait(work: Work): void {
    this.#waiting.push({ work, since: this.#clock.now() });
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
      const first = this.#waiting[this.#next];
      if (first === undefined) break;
      this.#forget();
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

  /** Moving the rest to the front each time would cost more than most work. */
  #forget(): void {
    this.#next += 1;
    if (this.#next < 1024 && this.#next < this.#waiting.length) return;
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
  }
}
