import type { Clock } from '../../values/clock.ts';

/** @see contracts/status.md section 4, Errors */
const CALLS = 600;
const WINDOW_MS = 60_000;

/** Counts calls by token: 600 in a window of 60 s that begins with the first of them. */
export class CallLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { readonly start: number; calls: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. @returns null when it may proceed, else the whole seconds to wait. */
  refusal(tokenName: string): number | null {
    const now = this.#clock.now();
    const known = this.#windows.get(tokenName);
    // A clock that was set back begins a new window as well.
    const isCurrent = known !== undefined && now >= known.start && now < known.start + WINDOW_MS;
    const window = isCurrent ? known : { start: now, calls: 0 };
    this.#windows.set(tokenName, window);
    window.calls += 1;
    return window.calls <= CALLS ? null : Math.max(1, Math.ceil((window.start + WINDOW_MS - now) / 1000));
  }
}
