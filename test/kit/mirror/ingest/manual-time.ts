import { setImmediate } from 'node:timers/promises';
import type { Pause } from '../../../../src/mirror/ingest/pause.ts';
import { ManualClock } from '../../../../src/values/clock.ts';

/** Time that passes only when a test lets it. */
export interface ManualTime {
  readonly clock: ManualClock;
  readonly pause: Pause;
  /** Lengths of the pauses that are being waited for, the next to end first. */
  readonly waiting: readonly number[];
  /** Lets time pass, pause after pause; what waits for one goes on before the next ends. */
  pass(milliseconds: number): Promise<void>;
}

/** Rounds of the event loop in which everything that can go on does. */
const ROUNDS = 25;

export function manualTime(now: number): ManualTime {
  const clock = new ManualClock(now);
  let pauses: { readonly at: number; readonly milliseconds: number; readonly end: () => void }[] = [];
  const settle = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) await setImmediate();
  };
  return {
    clock,
    pause: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const end = (): void => {
          pauses = pauses.filter((each) => each !== entry);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const entry = { at: clock.now() + milliseconds, milliseconds, end };
        pauses = [...pauses, entry].sort((left, right) => left.at - right.at);
        signal.addEventListener('abort', end);
      }),
    get waiting() {
      return pauses.map(({ milliseconds }) => milliseconds);
    },
    async pass(milliseconds) {
      const until = clock.now() + milliseconds;
      await settle();
      for (let next = pauses[0]; next !== undefined && next.at <= until; next = pauses[0]) {
        clock.set(Math.max(clock.now(), next.at));
        next.end();
        await settle();
      }
      clock.set(until);
    },
  };
}
