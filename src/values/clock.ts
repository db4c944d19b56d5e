import { NANOS_PER_MILLISECOND } from './consensus-timestamp.ts';

/** The time source of the whole product; tests pass one they can set. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Its time just after it was set to another one; absent: it was not. Older times say little about how long ago. */
  readonly steppedAt?: number;
}

/** Its time in nanoseconds, as consensus times count. */
export const nanosNow = (clock: Clock): bigint => BigInt(clock.now()) * NANOS_PER_MILLISECOND;

/** The clock of the operating system. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is set. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    this.#now = now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
