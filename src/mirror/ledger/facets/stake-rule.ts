import { int64OrNull } from '../fold/int64-or-null.ts';

/** The stake of an account at the end of the period before; null without a row. */
export interface FormerStake {
  /** −1 for none. */
  readonly node: bigint;
  /** Tinybars. */
  readonly total: bigint;
  readonly pending: bigint;
  /** The total that counted {@link KEPT_DAYS} before; null without a row. */
  readonly totalYearBefore: bigint | null;
}

/** What a staking period that ended tells. */
export interface EndedPeriod {
  /** Day since 1970. */
  readonly day: bigint;
  /** Tinybars for each hbar, at the former node; null when the node has no stake. */
  readonly rate: bigint | null;
  /** The same {@link KEPT_DAYS} before; null when the node had no stake then. */
  readonly rateYearBefore: bigint | null;
}

/** Rewards of more days are not kept. */
export const KEPT_DAYS = 365n;
const TINYBARS_PER_HBAR = 100_000_000n;
const NO_NODE = -1n;

/**
 * The reward that is due after a staking period, tinybars.
 *
 * @param start day since 1970 on which the stake of the account began
 * @see contracts/mirror-entities.md section 11.8
 */
export function rewardAfter(former: FormerStake | null, start: bigint, period: EndedPeriod): bigint {
  if (former === null || former.node === NO_NODE) return 0n;
  const { day, rate, rateYearBefore } = period;
  const lapsed = day - start > KEPT_DAYS ? rewardOf(rateYearBefore, former.totalYearBefore) : 0n;
  if (rate === null) return bounded(former.pending - lapsed);
  if (start > day - 1n) return 0n;
  const added = rewardOf(rate, former.total);
  return bounded(start === day - 1n ? added : former.pending + added - lapsed);
}

/** The reward for one period. */
function rewardOf(rate: bigint | null, total: bigint | null): bigint {
  return (rate ?? 0n) * ((total ?? 0n) / TINYBARS_PER_HBAR);
}

/** What no ledger can pay is nothing. */
function bounded(reward: bigint): bigint {
  return reward < 0n ? 0n : (int64OrNull(reward) ?? 0n);
}
