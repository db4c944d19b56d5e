import { type Clock, systemClock } from '../values/clock.ts';
import { type Repeat, type StartTimer, systemRepeat, systemTimer } from '../values/repetition.ts';

/** Turns of one long jump: what repeats more often is called at even distances. */
const MAX_TURNS = 1000;

/** Something that is due at a moment. */
interface Due {
  /** UTC milliseconds. */
  at: number;
  /** When it was last done, likewise; null: it happens once. */
  doneAt: number | null;
  run(): Promise<void> | void;
}

/**
 * The time of a test server: it passes as usual or stands still, and jumps when it is told to.
 *
 * Periods and time-outs that are made with it end by the passing of real time and by jumps, whichever is first; periods
 * of a time that stands still end by jumps alone.
 */
export class TestTime implements Clock {
  readonly #due = new Set<Due>();
  /** Distance to the clock of the system, or the time at which it stands. */
  #moved: number;
  #isStopped: boolean;

  /** @param stoppedAt where it stands still, UTC milliseconds; null: it is the time of the system. */
  constructor(stoppedAt: number | null) {
    this.#isStopped = stoppedAt !== null;
    this.#moved = stoppedAt ?? 0;
  }

  now(): number {
    return this.#isStopped ? this.#moved : systemClock.now() + this.#moved;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  readonly repeat: Repeat = (work, everyMs) => {
    let running: Promise<void> | null = null;
    const due: Due = {
      at: this.now() + everyMs,
      doneAt: this.now(),
      run: () => {
        due.doneAt = this.now();
        due.at = due.doneAt + everyMs;
        running ??= work().finally(() => {
          running = null;
        });
        return running;
      },
    };
    this.#due.add(due);
    const stop = systemRepeat(async () => {
      if (!this.#isStopped) await due.run();
    }, everyMs);
    return async () => {
      this.#due.delete(due);
      await stop();
      await running;
    };
  };

  readonly startTimer: StartTimer = (run, afterMs) => {
    const end = () => {
      cancel();
      run();
    };
    const due: Due = { at: this.now() + afterMs, doneAt: null, run: end };
    const cancelTimer = systemTimer(end, afterMs);
    const cancel = () => {
      this.#due.delete(due);
      cancelTimer();
    };
    this.#due.add(due);
    return cancel;
  };

  /**
   * Moves on, from one moment at which something is due to the next, and waits for what is done then. What repeats is
   * done at the end in any case: it is what finds things that are due just then.
   *
   * @param settle is awaited after each of these moments.
   */
  async advance(milliseconds: number, settle: () => Promise<void>): Promise<void> {
    const shortest = Math.ceil(milliseconds / MAX_TURNS);
    for (let left = milliseconds; left > 0; ) {
      const next = Math.min(...[...this.#due].map(({ at }) => at - this.now()));
      const jump = Math.min(left, Math.max(next, shortest));
      this.#moved += jump;
      left -= jump;
      await this.#run(({ at }) => at <= this.now());
      await settle();
    }
    await this.#run(({ doneAt }) => doneAt !== null && doneAt < this.now());
    await settle();
  }

  async #run(isWanted: (due: Due) => boolean): Promise<void> {
    for (const due of [...this.#due]) {
      if (this.#due.has(due) && isWanted(due)) await due.run();
    }
  }

  /** Jumps back, or on without doing what is due; what repeats is due a period later at most. */
  set(now: number, { isStopped }: { readonly isStopped: boolean }): void {
    const before = this.now();
    this.#isStopped = isStopped;
    this.#moved = isStopped ? now : now - systemClock.now();
    for (const due of this.#due) {
      due.at += now - before;
      if (due.doneAt !== null) due.doneAt += now - before;
    }
  }
}
