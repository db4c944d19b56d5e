import type { ComponentStatus } from '../rules/component-status.ts';

/** A stretch of time in which a component showed one status; `end` is exclusive, both in UTC milliseconds. */
export interface StatusInterval {
  readonly start: number;
  readonly end: number;
  readonly status: ComponentStatus;
}

/** How long a component showed each status within a range, in milliseconds. */
export type StatusDurations = Readonly<Record<ComponentStatus, number>>;

const NO_TIME: StatusDurations = {
  operational: 0,
  under_maintenance: 0,
  degraded_performance: 0,
  partial_outage: 0,
  major_outage: 0,
};

/** A partial outage counts three tenths of a major one. @see contracts/status.md section 9, formula */
const PARTIAL_TENTHS = 3n;

/** Adds up the parts of the intervals that lie between `from` and `to`. */
export function durationsWithin(
  intervals: readonly StatusInterval[],
  from: number,
  to: number,
): StatusDurations {
  const sums: Record<ComponentStatus, number> = { ...NO_TIME };
  for (const { start, end, status } of intervals) {
    sums[status] += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return sums;
}

/** What outages take from a stretch of time; all in milliseconds. */
export interface OutageTime {
  readonly total: number;
  readonly major: number;
  readonly partial: number;
}

/**
 * The share of time without outage in percent, rounded half up to four decimals; 100 for no time at all.
 *
 * Degraded performance and maintenance count as up.
 *
 * @example one hour of a partial outage in a day: 98.75
 * @see contracts/status.md section 9
 */
export function uptimePercentage(time: OutageTime): number {
  const { up, total } = tenths(time);
  if (total === 0n) return 100;
  // Twice the value and one more, halved: half up without leaving the integers.
  return Number((2n * up * 1_000_000n + total) / (2n * total)) / 10_000;
}

/**
 * The same for people: cut to two decimals, never rounded up; `100` only without any outage.
 *
 * @example one second in ninety days: `99.99`
 */
export function uptimeText(time: OutageTime): string {
  const { up, total } = tenths(time);
  if (up === total) return '100';
  return (Number((up * 10_000n) / total) / 100).toFixed(2);
}

/** Digits after the point that a share keeps in a sum; what comes after them is cut. */
const SHARE = 10n ** 15n;

/**
 * The mean of several components for people, cut to two decimals; `100` only when none had an outage.
 *
 * @param times of at least one component.
 * @see contracts/status.md section 9, group uptime
 */
export function meanUptimeText(times: readonly OutageTime[]): string {
  const shares = times.map((time) => {
    const { up, total } = tenths(time);
    return total === 0n ? SHARE : (up * SHARE) / total;
  });
  const sum = shares.reduce((all, share) => all + share, 0n);
  const whole = SHARE * BigInt(shares.length);
  if (sum >= whole) return '100';
  return (Number((sum * 10_000n) / whole) / 100).toFixed(2);
}

function tenths({ total, major, partial }: OutageTime): { readonly up: bigint; readonly total: bigint } {
  const whole = 10n * BigInt(total);
  return { total: whole, up: whole - 10n * BigInt(major) - PARTIAL_TENTHS * BigInt(partial) };
}
