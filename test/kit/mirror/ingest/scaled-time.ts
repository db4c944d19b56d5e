import {
  type FeedTime,
  systemFeedTime,
} from '../../../../src/mirror/ingest/source/block-node/block-node-connection.ts';

export interface ScaledTime extends FeedTime {
  /** Sets the clock forward; what waits goes on waiting. */
  advance(milliseconds: number): void;
}

/** The time of the system, that many times as fast: what waits ten seconds waits a part of one. */
export function scaledTime(factor: number): ScaledTime {
  const { clock, pause, random } = systemFeedTime;
  const begin = clock.now();
  let ahead = 0;
  return {
    clock: { now: () => begin + ahead + (clock.now() - begin) * factor },
    pause: (milliseconds, signal) => pause(milliseconds / factor, signal),
    random,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
