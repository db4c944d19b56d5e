import { joinSignals } from '../../../values/joined-signal.ts';

/** The right to store into a ledger, until it is released or the process ends. */
export interface LedgerTurn {
  /** Given when others have units, and this one has stored none for long; the reason is the error to end with. */
  readonly ending: AbortSignal;
  /** Something was stored: nobody is held up for nothing. */
  stored(): void;
  release(): Promise<void>;
}

/**
 * Lets one source after the other store, of this and of other processes.
 *
 * A source looks for units without it, so that one that hangs holds up nobody.
 */
export interface LedgerTurns {
  /**
   * @param look called again and again while another process stores
   * @returns null when the signal ends the wait
   */
  take(signal: AbortSignal | undefined, look: () => Promise<void>): Promise<LedgerTurn | null>;
}

/** Waits for what a source does, while it has its turn. */
export type InTurn = <T>(work: Promise<T>) => Promise<T>;

/** Waits for work, but no longer than until one of the signals, whose reason is then the error. */
export function untilEnded<T>(work: Promise<T>, ...given: readonly (AbortSignal | undefined)[]): Promise<T> {
  const { end: letGo, signal } = joinSignals(...given);
  // What ends the wait first decides; the work's own failure is then nobody's.
  work.catch(() => {});
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    // Settled first, so that the end of the signal has no say.
    work.then(resolve, reject).finally(letGo);
  });
}
