import type { Measured, Pace } from './useful-answers.ts';

/** Few enough to leave the server idle now and then, enough to keep it busy, and more than that. */
const CONNECTIONS = [4, 16, 64];
/** Of what a queue worked off before. */
const SHARES_OF_QUEUED = [1, 1.5, 2];
const LEVEL_SECONDS = 8;
const ROUND_SECONDS = 3;
const MOST_ROUNDS = 8;
/** A rate that grows by less has become stable. */
const STABLE = 1.05;

/** The best rate that a server sustained, and the pace of the load at which it did. */
export interface Peak extends Measured {
  readonly pace: Pace;
}

/**
 * Looks for the best rate at several levels of load, once the first answers of the process, its slowest, are behind it.
 *
 * @param how `isQuick`: one short look. `isQueued`: answers only take work on, so the load must not take the processors
 *   from it, as one without pause would.
 */
export async function findPeak(
  measure: (pace: Pace) => Promise<Measured>,
  { isQuick, isQueued }: { readonly isQuick: boolean; readonly isQueued: boolean },
): Promise<Peak> {
  const at = async (pace: Pace): Promise<Peak> => ({ ...(await measure(pace)), pace });
  const closed = { connections: 16, perSecond: null };
  if (isQuick) return at({ ...closed, seconds: 1 });
  let best = await at({ ...closed, seconds: ROUND_SECONDS });
  for (let round = 1; round < MOST_ROUNDS; round++) {
    const next = await at({ ...closed, seconds: ROUND_SECONDS });
    const isStable = next.perSecond <= best.perSecond * STABLE;
    if (next.perSecond > best.perSecond) best = next;
    if (isStable) break;
  }
  const warm = best.perSecond;
  const levels = isQueued
    ? SHARES_OF_QUEUED.map((share) => ({ ...closed, perSecond: Math.ceil(share * warm) }))
    : CONNECTIONS.map((connections) => ({ ...closed, connections }));
  for (const level of levels) {
    const measured = await at({ ...level, seconds: LEVEL_SECONDS });
    if (measured.perSecond > best.perSecond) best = measured;
  }
  return best;
}
