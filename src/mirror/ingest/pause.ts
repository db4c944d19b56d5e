import { setTimeout as timer } from 'node:timers/promises';
import { joinSignals } from '../../values/joined-signal.ts';

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
  const either = joinSignals(signal);
  try {
    return await Promise.race([
      promise.then((value) => ({ value })),
      pause(Math.max(0, milliseconds), either.signal).then(() => 'late' as const),
    ]);
  } finally {
    either.end();
  }
}

/** How long a source, or one node of it, is left alone after it failed. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Those that failed together shall not come back together. */
const JITTER = 0.2;

/**
 * The pause after so many failures in a row: doubling up to the longest, a fifth shorter or longer by chance.
 *
 * @param failures 1 after the first
 * @param random from 0 to below 1
 */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff, random: () => number): number {
  const doubled = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(doubled * (1 + JITTER * (2 * random() - 1)));
}
