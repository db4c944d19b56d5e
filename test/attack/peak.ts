import type { Measured, Pace, Rates } from './useful-answers.ts';

/** Few enough to leave the server idle now and then, enough to keep it busy, and more than that. */
const CONNECTIONS = [4, 16, 64];
/** Of what a queue worked off before. */
const SHARES_OF_QUEUED = [1, 1.5, 2];
/** Jobs end in bursts: what a queue sustains shows after longer. */
const LEVEL_SECONDS = { read: 8, queued: 25 };
const ROUND_SECONDS = 3;
const MAX_ROUNDS = 8;
/** A rate that grows by less has become stable. */
const STABLE = 1.05;

/** The best rate that was found, and the pace of the load at which it was. */
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
  let warm = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { perSecond } = await at({ ...closed, seconds: ROUND_SECONDS });
    const isStable = perSecond <= warm * STABLE;
    warm = Math.max(warm, perSecond);
    if (isStable) break;
  }
  const seconds = LEVEL_SECONDS[isQueued ? 'queued' : 'read'];
  const levels = isQueued
    ? SHARES_OF_QUEUED.map((share) => ({ ...closed, perSecond: Math.ceil(share * warm), seconds }))
    : CONNECTIONS.map((connections) => ({ ...closed, connections, seconds }));
  const measured: Peak[] = [];
  for (const level of levels) measured.push(await at(level));
  return measured.reduce((best, other) => (other.perSecond > best.perSecond ? other : best));
}

export function meanOf(one: Rates, other: Rates): Rates {
  return {
    perSecond: (one.perSecond + other.perSecond) / 2,
    perWorkSecond: (one.perWorkSecond + other.perWorkSecond) / 2,
  };
}
