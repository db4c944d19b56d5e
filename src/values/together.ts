import type { MaybePromise } from './map-maybe.ts';

/** An answer on its way, and the one that begins when it has arrived. */
interface Asked<T> {
  readonly current: Promise<T>;
  next: Promise<T> | null;
  /** Those who wait for the next one. */
  sharers: number;
}

/** Whoever shares an answer goes on in the same turn of the event loop, which others wait for. */
const MAX_SHARERS = 64;
/** A statement that takes longer may be on a connection that is dead; the next one finds another. */
const WAIT_TIMEOUT_MS = 1000;

/**
 * Asks a storage once for all who want to know the same at the same time.
 *
 * Whoever comes while an answer is on its way shares the next one, which begins afterwards, so nobody is told what was
 * true before they asked. An answer that is at hand is shared with nobody.
 *
 * @param ask its answers are given to several callers: they must not change them.
 * @param patienceMs how long the next question waits for an answer that does not come, milliseconds.
 * @see docs/adr/0012-ready-responses.md
 */
export function together<T>(
  ask: (question: string) => MaybePromise<T>,
  patienceMs = WAIT_TIMEOUT_MS,
): (question: string) => MaybePromise<T> {
  const asked = new Map<string, Asked<T>>();
  const forget = (question: string, entry: Asked<T>) => {
    // Another one may have begun since: beside too many sharers, or after too long a wait.
    if (asked.get(question) === entry) asked.delete(question);
  };
  const begin = (question: string): MaybePromise<T> => {
    const answer = ask(question);
    if (!(answer instanceof Promise)) return answer;
    const entry: Asked<T> = { current: answer, next: null, sharers: 0 };
    asked.set(question, entry);
    const end = () => {
      if (entry.next === null) forget(question, entry);
    };
    answer.then(end, end);
    return answer;
  };
  return (question) => {
    const entry = asked.get(question);
    if (entry === undefined || entry.sharers === MAX_SHARERS) return begin(question);
    entry.sharers += 1;
    entry.next ??= settled(entry.current, patienceMs).then(() => {
      forget(question, entry);
      return begin(question);
    });
    return entry.next;
  };
}

/** Waits for a promise, however it ends, but no longer than the time. */
function settled(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(end, end);
  });
}
