import { setTimeout as timer } from 'node:timers/promises';

/** Waits; ends early, without an error, when the signal is given. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** A timer of the operating system. */
export const systemPause: Pause = async (milliseconds, signal) => {
  try {
    await timer(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
