const MINUTE_MS = 60_000;

/** Waits after the first, second … failed attempt. @see contracts/status.md section 11 */
const RETRY_WAITS_MS = [1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * When to try again.
 *
 * @param failures attempts that failed, the one that just ended included.
 * @returns UTC milliseconds; null: it is given up.
 */
export function nextAttemptAt(failures: number, now: number): number | null {
  const wait = RETRY_WAITS_MS[failures - 1];
  return wait === undefined ? null : now + wait;
}
