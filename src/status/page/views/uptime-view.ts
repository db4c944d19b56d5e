import { StatusNotFoundError } from '../../errors.ts';
import { fullName, inPageOrder } from '../../model/page-order.ts';
import type { Component, PageState, StatusChangeAt } from '../../model/page-state.ts';
import type { ZonedTime } from '../../rules/zoned-time.ts';
import { componentDays, intervalsOf, lastDays, outageTime } from '../../uptime/status-history.ts';
import { uptimeText } from '../../uptime/uptime-figures.ts';
import { isListed } from './component-rows.ts';
import { BAR_DAYS } from './home-view.ts';

/** Components of one page; each takes some ten thousand characters. */
const COMPONENTS_PER_PAGE = 10;
const DAY_MS = 86_400_000;

/** A component with its months, newest first. */
export type ComponentUptime = ReturnType<typeof componentUptimes>[number];
export type UptimeMonth = ComponentUptime['months'][number];

/** Which components a page of the calendar shows. */
export type UptimePage = ReturnType<typeof uptimePage>;

/**
 * Chooses the components of a page, in the order of the status page.
 *
 * @param componentId the only one to show; null for the list.
 * @returns `number` of the page from 1; null when one component was asked for.
 * @throws StatusNotFoundError for a page after the last one, and for what is no leaf component.
 */
export function uptimePage(state: PageState, componentId: string | null, number: number) {
  if (componentId !== null) {
    const found = state.components.find(({ id, group }) => id === componentId && !group);
    if (found === undefined) throw new StatusNotFoundError('component', componentId);
    return { number: null, components: [found], hasNext: false };
  }
  const top = inPageOrder(state.components.filter(({ groupId }) => groupId === null));
  const leaves = top
    .flatMap((each) =>
      each.group ? inPageOrder(state.components.filter(({ groupId }) => groupId === each.id)) : [each],
    )
    .filter((leaf) => leaf.showcase && isListed(leaf));
  const start = (number - 1) * COMPONENTS_PER_PAGE;
  if (number > 1 && start >= leaves.length) throw new StatusNotFoundError('path', String(number));
  return {
    number,
    components: leaves.slice(start, start + COMPONENTS_PER_PAGE),
    hasNext: start + COMPONENTS_PER_PAGE < leaves.length,
  };
}

/** Where the months begin that hold the days of the bars, UTC milliseconds. */
export function calendarStart(time: ZonedTime, now: number): number {
  const oldest = lastDays(time, now, BAR_DAYS)[0]?.date ?? time.date(now);
  return time.startOfDay(`${oldest.slice(0, 7)}-01`);
}

/**
 * The calendar of some components from {@link calendarStart} to today.
 *
 * @see contracts/status.md sections 9 and 10
 */
export function componentUptimes(
  components: readonly Component[],
  state: PageState,
  events: readonly StatusChangeAt[],
  time: ZonedTime,
  now: number,
) {
  const first = Date.parse(time.date(calendarStart(time, now)));
  // Dates without a zone are whole days apart.
  const days = lastDays(time, now, (Date.parse(time.date(now)) - first) / DAY_MS + 1);
  const months = [...new Set(days.map(({ date }) => date.slice(0, 7)))].reverse();
  return components.map((component) => {
    const own = events.filter(({ componentId }) => componentId === component.id);
    const intervals = intervalsOf(own, now);
    return {
      id: component.id,
      /** With its group's name. */
      name: fullName(component, state.components),
      months: months.map((month) => {
        const within = days.filter(({ date }) => date.startsWith(month));
        const outage = outageTime(intervals, within[0]?.start ?? now, within.at(-1)?.end ?? now);
        return {
          /** `YYYY-MM` */
          month,
          /** Percentage for people, without the sign; null when the component did not exist. */
          uptime: outage.total === 0 ? null : uptimeText(outage),
          /** The first of the month to its last day, or to today. */
          days: componentDays(intervals, within),
        };
      }),
    };
  });
}
