import type { StatusChangeAt } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import { COMPONENT_STATUSES, severity } from '../rules/component-status.ts';
import type { ZonedTime } from '../rules/zoned-time.ts';
import { durationsWithin, type OutageTime, type StatusInterval } from './uptime-figures.ts';

/** What the events of one component mean: each status holds until the next event, the last one until `now`. */
export function intervalsOf(events: readonly StatusChangeAt[], now: number): readonly StatusInterval[] {
  return events.map(({ at, to }, index) => ({ start: at, end: events[index + 1]?.at ?? now, status: to }));
}

/** Time of outage from one instant to another; the time before the first interval does not count. */
export function outageTime(intervals: readonly StatusInterval[], from: number, to: number): OutageTime {
  const { major_outage: major, partial_outage: partial, ...up } = durationsWithin(intervals, from, to);
  const total = Object.values(up).reduce((sum, each) => sum + each, major + partial);
  return { total, major, partial };
}

/** A calendar day of a zone, `YYYY-MM-DD`: 23, 24 or 25 hours; `end` is exclusive, both in UTC milliseconds. */
export type LocalDay = ReturnType<typeof lastDays>[number];

/** The last `count` days of a zone, oldest first; the last one is today, whole. */
export function lastDays(time: ZonedTime, now: number, count: number) {
  const today = time.date(now);
  return Array.from({ length: count }, (_, index) => {
    const date = shifted(today, index - count + 1);
    return { date, start: time.startOfDay(date), end: time.startOfDay(shifted(date, 1)) };
  });
}

/** How one component was on one day. */
export type ComponentDay = ReturnType<typeof componentDays>[number];

/** The days of one component, as `days` gives them. */
export function componentDays(intervals: readonly StatusInterval[], days: readonly LocalDay[]) {
  return days.map(({ date, start, end }) => {
    const durations = durationsWithin(intervals, start, end);
    // The worst one of the day; null when the component did not exist.
    const seen = COMPONENT_STATUSES.filter((status) => durations[status] > 0);
    const status = seen.reduce<ComponentStatus | null>(
      (worst, each) => (worst === null || severity(each) > severity(worst) ? each : worst),
      null,
    );
    return { date, status, durations };
  });
}

/**
 * The worst status of each day, as {@link componentDays} finds it; for many components, of which most never change.
 *
 * @param days in order and without gaps.
 */
export function worstOfDays(
  intervals: readonly StatusInterval[],
  days: readonly LocalDay[],
): readonly (ComponentStatus | null)[] {
  const worst = days.map((): ComponentStatus | null => null);
  let first = 0;
  for (const { start, end, status } of intervals) {
    if (end <= start) continue;
    // Intervals come in order: no later one touches a day that ended before this one began.
    while (first < days.length && (days[first]?.end ?? 0) <= start) first += 1;
    for (let index = first; index < days.length && (days[index]?.start ?? end) < end; index += 1) {
      const known = worst[index] ?? null;
      if (known === null || severity(status) > severity(known)) worst[index] = status;
    }
  }
  return worst;
}

/** Calendar arithmetic knows no zone. */
function shifted(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
