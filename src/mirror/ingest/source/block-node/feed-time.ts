import { type Clock, systemClock } from '../../../../values/clock.ts';
import { type Pause, systemPause } from '../../pause.ts';

/** What goes by time. */
export interface FeedTime {
  readonly clock: Clock;
  readonly pause: Pause;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
}

/** Timers of the operating system. */
export const systemFeedTime: FeedTime = {
  clock: systemClock,
  random: Math.random,
  pause: systemPause,
};

/** What a promise gives, or `late` when it takes longer; the promise goes on. */
export async function within<T>(
  promise: Promise<T>,
  milliseconds: number,
  pause: Pause,
): Promise<{ readonly value: T } | 'late'> {
  const ending = new AbortController();
  try {
    return await Promise.race([
      promise.then((value) => ({ value })),
      pause(Math.max(0, milliseconds), ending.signal).then(() => 'late' as const),
    ]);
  } finally {
    ending.abort();
  }
}
