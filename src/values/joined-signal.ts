import { setMaxListeners } from 'node:events';

/**
 * A signal that is given with the first of others, for the same reason, or by `end`.
 *
 * Nothing stays in the others when it is over. `AbortSignal.any` leaves an entry there for each joined signal under Node 20, for
 * ever: a leak wherever one of them lives as long as the process.
 */
export function joinSignals(...given: readonly (AbortSignal | undefined)[]) {
  const own = new AbortController();
  const others = given.filter((each) => each !== undefined);
  const pass = ({ target }: Pick<Event, 'target'>): void => end((target as AbortSignal).reason);
  const end = (reason?: unknown): void => {
    for (const other of others) other.removeEventListener('abort', pass);
    own.abort(reason);
  };
  // Many may wait for one at a time, such as all requests of a source; Node would warn of a leak.
  if (others.length > 0) setMaxListeners(0, ...others);
  for (const other of others) other.addEventListener('abort', pass, { once: true });
  const aborted = others.find((each) => each.aborted);
  if (aborted !== undefined) end(aborted.reason);
  return { signal: own.signal, end };
}
