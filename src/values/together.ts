import type { Awaitable } from './and-then.ts';

/** An answer on its way, and the one that begins when it has arrived. */
interface Asked<T> {
  readonly current: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Asks a storage once for all who want to know the same at the same time.
 *
 * Who comes while an answer is on its way shares the next one, which begins afterwards, so nobody is told what was true
 * before they asked. An answer that is at hand is shared with nobody.
 *
 * @param ask its answers are given to several callers: they must not change them.
 * @see docs/adr/0103-questions-are-asked-together.md
 */
export function together<T>(ask: (question: string) => Awaitable<T>): (question: string) => Awaitable<T> {
  const asked = new Map<string, Asked<T>>();
  const begin = (question: string): Awaitable<T> => {
    const answer = ask(question);
    if (!(answer instanceof Promise)) return answer;
    const entry: Asked<T> = { current: answer, next: null };
    asked.set(question, entry);
    const end = () => {
      if (entry.next === null) asked.delete(question);
    };
    answer.then(end, end);
    return answer;
  };
  return (question) => {
    const entry = asked.get(question);
    if (entry === undefined) return begin(question);
    const again = () => {
      asked.delete(question);
      return begin(question);
    };
    entry.next ??= entry.current.then(again, again);
    return entry.next;
  };
}
