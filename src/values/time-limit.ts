import { joinSignals } from './joined-signal.ts';

/**
 * A signal that is aborted after a time, or before with one of the others, in which nothing stays after `end`.
 *
 * @param ms milliseconds
 */
export function timeLimit(ms: number, ...others: readonly (AbortSignal | undefined)[]) {
  // Listened to: Node 20 lets the collector take a timeout that nothing but a signal of `any` refers to.
  return joinSignals(AbortSignal.timeout(ms), ...others);
}
