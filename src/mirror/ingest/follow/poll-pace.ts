/** How long a follower rests between two looks at its peer. */
export interface PollPace {
  /** Milliseconds until the next look. */
  readonly restMs: number;
  /** The last look found something new, or nothing. */
  looked(foundNew: boolean): void;
}

const FIRST_MS = 1000;
const LEAST_MS = 250;
const MOST_MS = 10_000;
const SLOWER = 1.5;

/** Looks come twice as often after a new block, down to four a second, and rarer while none comes. */
export function createPollPace(): PollPace {
  let restMs = FIRST_MS;
  return {
    get restMs() {
      return restMs;
    },
    looked(foundNew) {
      restMs = foundNew ? Math.max(LEAST_MS, restMs / 2) : Math.min(MOST_MS, restMs * SLOWER);
    },
  };
}
