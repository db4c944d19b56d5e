import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';

const INTERVAL_NANOS = 15n * 60n * NANOS_PER_SECOND;
const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * True when a quarter of an hour (of consensus time, UTC) ended between the two times.
 *
 * The snapshot then carries the earlier time: the last at which those balances are certain.
 *
 * @see contracts/mirror-network.md section 7
 */
export function isNewSnapshotInterval(before: bigint, now: bigint): boolean {
  return now / INTERVAL_NANOS > before / INTERVAL_NANOS;
}

/** True when the times lie in different UTC months: the snapshot then holds every account. */
export function isNewSnapshotMonth(before: bigint, now: bigint): boolean {
  return monthStart(before) !== monthStart(now);
}

/** The first nanosecond of the UTC month of a time. */
export function monthStart(time: bigint): bigint {
  const date = new Date(Number(time / NANOS_PER_MILLISECOND));
  return BigInt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)) * NANOS_PER_MILLISECOND;
}

/** The first nanosecond of the UTC month before that of a time; never before the epoch. */
export function previousMonthStart(time: bigint): bigint {
  const start = monthStart(time);
  return start === 0n ? 0n : monthStart(start - 1n);
}
