import { NANOS_PER_MILLISECOND, NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';

/**
 * Which snapshots are taken: none; what changed, with everything at the first of a half year up to 100 000 accounts; or
 * with everything then, however many there are.
 */
export type SnapshotScope = 'changed' | 'full' | 'off';

const MINUTE_NANOS = 60n * NANOS_PER_SECOND;
/** How long after the first unit the first snapshot is due. */
const FIRST_NANOS = 2n * MINUTE_NANOS;
const INTERVAL_NANOS = 15n * MINUTE_NANOS;
/** How far back rows of snapshots count. */
const WINDOW_MONTHS = 6;

/** From which end of a unit the first snapshot is taken. @see contracts/mirror-entities.md section 1.6 */
export function firstSnapshotDue(firstUnitEnd: bigint): bigint {
  return firstUnitEnd + FIRST_NANOS;
}

/** From which end of a unit the snapshot after one is taken. */
export function nextSnapshotDue(snapshot: bigint): bigint {
  return snapshot + INTERVAL_NANOS;
}

/** True when the times lie in different UTC months: the later snapshot then holds every system account. */
export function isNewMonth(before: bigint, now: bigint): boolean {
  return monthStart(before) !== monthStart(now);
}

/** True when the times lie in different halves of a year: the later snapshot then holds every balance. */
export function isNewHalfYear(before: bigint, now: bigint): boolean {
  return halfYear(before) !== halfYear(now);
}

/** The first nanosecond of the UTC month of a time. */
export function monthStart(time: bigint): bigint {
  return startOfMonthBefore(time, 0);
}

/** The first nanosecond of the UTC month before that of a time. */
export function previousMonthStart(time: bigint): bigint {
  return startOfMonthBefore(time, 1);
}

/**
 * The first instant whose rows count for what is asked at a time: that of the month six months before.
 *
 * @see contracts/mirror-entities.md section 1.6
 */
export function windowStart(time: bigint): bigint {
  return startOfMonthBefore(time, WINDOW_MONTHS);
}

/** Never before the epoch. */
function startOfMonthBefore(time: bigint, months: number): bigint {
  const date = new Date(Number(time / NANOS_PER_MILLISECOND));
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1);
  return BigInt(Math.max(start, 0)) * NANOS_PER_MILLISECOND;
}

function halfYear(time: bigint): number {
  const date = new Date(Number(time / NANOS_PER_MILLISECOND));
  return date.getUTCFullYear() * 2 + Math.floor(date.getUTCMonth() / 6);
}
