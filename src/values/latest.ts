import type { MaybePromise } from './map-maybe.ts';

/**
 * A value for callers that cannot wait: read at each call where it is at hand; where it has to be waited for, the newest
 * one that arrived, which each call asks for again.
 *
 * @param initial stands for it until the first one has arrived.
 */
export function latest<T>(read: () => MaybePromise<T>, initial: T): () => T {
  let newest = initial;
  let asked: Promise<unknown> | null = null;
  return () => {
    if (asked !== null) return newest;
    const value = read();
    if (!(value instanceof Promise)) return value;
    asked = value
      .then((arrived) => {
        newest = arrived;
      })
      // The last value stays; whoever can wait for the same answer is told why it did not come.
      .catch(() => undefined)
      .finally(() => {
        asked = null;
      });
    return newest;
  };
}
