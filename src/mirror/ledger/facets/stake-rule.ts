import { int64OrNull } from '../fold/int64-or-null.ts';

/** The stake of an account at the end of the period before; null without a row. */
export interface FormerStake {
  /** −1 for none. */
  readonly node: bigint;
  /** Tinybars. */
  readonly total: bigint;
  readonly pending: bigint;
}

/** What a staking period that ended tells. */
export interface EndedPeriod {
  /** Day since 1970. */
  readonly day: bigint;
  /** Tinybars for each hbar, at the former node; null when the node has no stake. */
  readonly rate: bigint | null;
  /** The same 365 days before; null when the node had no stake then. */
  readonly rateYearBefore: bigint | null;
}

const TINYBARS_PER_HBAR = 100_000_000n;
/** Rewards of more days are not kept. */
const KEPT_DAYS = 365n;
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
  if (rate === null) return former.pending;
  if (start > day - 1n) return 0n;
  const hbars = former.total / TINYBARS_PER_HBAR;
  if (start === day - 1n) return bounded(rate * hbars);
  const lost = day - start > KEPT_DAYS ? (rateYearBefore ?? 0n) * hbars : 0n;
  return bounded(former.pending + rate * hbars - lost);
}

/** What no ledger can pay is nothing. */
function bounded(reward: bigint): bigint {
  return int64OrNull(reward) ?? 0n;
}
