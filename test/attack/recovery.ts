import type { Measured, Pace } from './useful-answers.ts';

/** What a server must take again, of its capacity: far from its limits, whoever shares the machine. */
const CALM_SHARE = 0.25;
/** As much as so many connections carry. */
const MAX_PER_SECOND = 2000;

/** Milliseconds until a second began in which everything of a calm load was answered, or until the patience is over. */
export async function recoveryMs(
  measure: (pace: Pace) => Promise<Measured>,
  capacity: number,
  patienceMs: number,
): Promise<number> {
  const perSecond = Math.min(Math.max(1, CALM_SHARE * capacity), MAX_PER_SECOND);
  const overSince = performance.now();
  for (;;) {
    const after = performance.now() - overSince;
    const { load } = await measure({ connections: 32, pipeline: 1, seconds: 1, perSecond });
    const { 200: read = 0, 202: accepted = 0 } = load.statuses;
    // How fast the client itself was is not looked at.
    const isCalm = load.offered > 0 && read + accepted === load.offered;
    if (isCalm || after > patienceMs) return after;
  }
}
