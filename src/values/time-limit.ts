const stay = (): void => {};

/**
 * A signal that is aborted after a time, or before with one of the others.
 *
 * Node 20 lets the collector take a timeout that nothing but a joined signal refers to, and what waits for that signal waits
 * for ever; a timeout that somebody listens to stays.
 *
 * @param ms milliseconds
 */
export function timeLimit(ms: number, ...others: readonly AbortSignal[]): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  timeout.addEventListener('abort', stay, { once: true });
  return others.length === 0 ? timeout : AbortSignal.any([...others, timeout]);
}
