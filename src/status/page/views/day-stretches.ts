import { type ComponentStatus, worstStatus } from '../../rules/component-status.ts';
import type { LocalDay } from '../../uptime/status-history.ts';
import { durationsWithin, type StatusInterval } from '../../uptime/uptime-figures.ts';

/** Days in a row of a bar that are told of together: quiet ones, or a single one with trouble. */
export type DayStretch = Readonly<ReturnType<typeof dayStretches>[number]>;

/** Narrow screens show the newest of the days only, so no stretch goes across. */
export const NEWEST_DAYS = 30;

/**
 * Cuts the days of a bar into stretches, oldest first. A day with trouble stands alone, and so does today.
 *
 * @param most when there would be more, the oldest days become one or two.
 */
export function dayStretches(
  worst: readonly (ComponentStatus | null)[],
  intervals: readonly StatusInterval[],
  days: readonly LocalDay[],
  most: number,
) {
  const cut = days.length - NEWEST_DAYS;
  const starts = days
    .map((_, index) => index)
    .filter((index) => {
      const status = worst[index] ?? null;
      const isQuiet = status === null || status === 'operational';
      const isLast = index === days.length - 1;
      return index === 0 || index === cut || isLast || !isQuiet || status !== (worst[index - 1] ?? null);
    });
  return withinLimit(starts, cut, most).map((start, position, all) => {
    const end = all[position + 1] ?? days.length;
    const [first, last] = [days[start], days[end - 1]];
    const durations = durationsWithin(intervals, first?.start ?? 0, last?.end ?? 0);
    return {
      /** `YYYY-MM-DD`, the same when it is one day. */
      first: first?.date ?? '',
      last: last?.date ?? '',
      count: end - start,
      /** The worst status; null before the component existed. */
      status: worstOf(worst.slice(start, end)),
      durations,
      /** The day that is not over. */
      isToday: end === days.length && end - start === 1,
    };
  });
}

function worstOf(statuses: readonly (ComponentStatus | null)[]): ComponentStatus | null {
  const known = statuses.filter((status) => status !== null);
  return known.length === 0 ? null : worstStatus(known);
}

function withinLimit(starts: readonly number[], cut: number, most: number): readonly number[] {
  if (starts.length <= most) return starts;
  const kept = starts.slice(starts.length - (most - 2));
  return [...new Set([0, ...(cut > 0 ? [cut] : []), ...kept])].sort((a, b) => a - b);
}
