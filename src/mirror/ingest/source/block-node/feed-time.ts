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
