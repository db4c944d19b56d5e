import type { Clock } from '../../values/clock.ts';
import { DATABASE_NOW } from '../sql/sql.ts';

/** Clocks that are further apart than that are set wrong, and one that moves by more was set. */
const MAX_AHEAD_MS = 5_000;
/** Of a statement: the time of the database, UTC milliseconds. */
export const NOW_COLUMN = `${DATABASE_NOW} as now_ms`;

/** The readings of this machine, milliseconds; both are given by tests alone. */
interface OwnTime {
  /** From any moment on; never jumps. */
  readonly monotonic: () => number;
  /** Since the Unix epoch. */
  readonly wall: () => number;
}

/**
 * The clock of a database, as a process reads it without asking: what replicas store and compare follows this one,
 * however the clocks of their machines are set, and however those jump.
 *
 * It runs on by the monotonic time of the process. Each answer says that the database's time lay between two readings
 * of that; it is corrected only where it is outside of them, so slow answers do not move it.
 */
export class DatabaseClock implements Clock {
  readonly #own: OwnTime;
  #offset: number;
  #isAsked = false;
  steppedAt = Number.NEGATIVE_INFINITY;
  /** How far the clock of this machine is ahead of it, negative behind it, milliseconds. */
  aheadMs = 0;

  constructor(own: OwnTime = { monotonic: () => performance.now(), wall: () => Date.now() }) {
    this.#own = own;
    this.#offset = own.wall() - own.monotonic();
  }

  now(): number {
    return Math.floor(this.#own.monotonic() + this.#offset);
  }

  /** What is wrong with the clock of this machine, in words; null while nothing is. */
  get warning(): string | null {
    if (Math.abs(this.aheadMs) <= MAX_AHEAD_MS) return null;
    const seconds = Math.round(Math.abs(this.aheadMs) / 1000);
    return `the clock of this machine is ${seconds} s ${this.aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
  }

  /** Sets it by what is asked of the database. @param ask a statement whose first row has the column `NOW_COLUMN`. */
  async setBy<Row extends { readonly now_ms: string }>(
    ask: () => Promise<{ readonly rows: readonly Row[] }>,
  ): Promise<Row | undefined> {
    const before = this.#own.monotonic();
    const [row] = (await ask()).rows;
    const after = this.#own.monotonic();
    if (row === undefined) return row;
    const now = Number(row.now_ms);
    const [least, most] = [now - after, now - before];
    const offset = this.#isAsked ? Math.min(Math.max(this.#offset, least), most) : (least + most) / 2;
    const isStep = this.#isAsked && Math.abs(offset - this.#offset) > MAX_AHEAD_MS;
    this.#offset = offset;
    // The database has another clock, or this machine was suspended, which monotonic time does not count.
    if (isStep) this.steppedAt = this.now();
    this.#isAsked = true;
    this.aheadMs = this.#own.wall() - this.now();
    return row;
  }
}
