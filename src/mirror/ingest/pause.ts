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

/** What a promise gives, or `late` when it takes longer or the signal is given; the promise goes on. */
export async function within<T>(
  promise: Promise<T>,
  milliseconds: number,
  pause: Pause,
  signal?: AbortSignal,
): Promise<{ readonly value: T } | 'late'> {
  const ending = new AbortController();
  const either = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
  try {
    return await Promise.race([
      promise.then((value) => ({ value })),
      pause(Math.max(0, milliseconds), either).then(() => 'late' as const),
    ]);
  } finally {
    ending.abort();
  }
}
