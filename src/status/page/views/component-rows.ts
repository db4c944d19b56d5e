import { groupBy } from '../../../values/group-by.ts';
import { inPageOrder } from '../../model/page-order.ts';
import type { Component, PageState, StatusChangeAt } from '../../model/page-state.ts';
import { type ComponentStatus, publicStatus, worstStatus } from '../../rules/component-status.ts';
import { intervalsOf, type LocalDay, outageTime, worstOfDays } from '../../uptime/status-history.ts';
import { meanUptimeText, type StatusInterval, uptimeText } from '../../uptime/uptime-figures.ts';
import { dayStretches } from './day-stretches.ts';
import type { UptimeBar } from './uptime-bar.ts';

/** Of all bars together: the page stays below 60 KiB however restless its components are. */
const MAX_DETAILS = 120;
const FEWEST_DETAILS = 6;

/** A component as a line of the page. */
export interface ComponentRow extends Pick<Component, 'id' | 'name' | 'description'> {
  readonly status: ComponentStatus;
  /** Null for components that are not showcased. */
  readonly bar: UptimeBar | null;
}

/** A group with the components that are shown in it, at least one. */
export interface GroupRow extends Pick<Component, 'id' | 'name' | 'description'> {
  readonly status: ComponentStatus;
  /** The mean of all its components. */
  readonly uptime: string;
  /** When measuring of the first of them began, UTC milliseconds; null when that was before the days. */
  readonly since: number | null;
  readonly children: readonly ComponentRow[];
}

/** What {@link componentRows} measures by. */
interface MeasuredDays {
  readonly events: readonly StatusChangeAt[];
  /** Oldest first, today included. */
  readonly days: readonly LocalDay[];
  readonly now: number;
}

/**
 * The components as the page lists them. One that is only shown when degraded is left out while it is operational,
 * and a group without any line as well.
 *
 * @see contracts/status.md section 10, Components
 */
export function componentRows(
  state: PageState,
  { events, days, now }: MeasuredDays,
): readonly (ComponentRow | GroupRow)[] {
  const eventsOf = groupBy(events, ({ componentId }) => componentId);
  const childrenOf = groupBy(inPageOrder(state.components), ({ groupId }) => groupId);
  const from = days[0]?.start ?? now;
  const bars = state.components.filter(({ group, showcase }) => !group && showcase).length;
  const mostDetails = Math.max(FEWEST_DETAILS, Math.floor(MAX_DETAILS / Math.max(1, bars)));
  const sinceOf = ([first]: readonly StatusInterval[]) =>
    first === undefined ? now : first.start > from ? first.start : null;
  const outage = ({ id }: Component) => outageTime(intervalsOf(eventsOf.get(id) ?? [], now), from, now);

  function barOf({ id }: Component): UptimeBar {
    const intervals = intervalsOf(eventsOf.get(id) ?? [], now);
    const worst = worstOfDays(intervals, days);
    return {
      days: worst,
      uptime: uptimeText(outageTime(intervals, from, now)),
      since: sinceOf(intervals),
      details: dayStretches(worst, intervals, days, mostDetails),
    };
  }

  function row(component: Component): ComponentRow {
    const { id, name, description } = component;
    const bar = component.showcase ? barOf(component) : null;
    return { id, name, description, status: publicStatus(component), bar };
  }

  return (childrenOf.get(null) ?? []).flatMap((component): readonly (ComponentRow | GroupRow)[] => {
    if (!component.group) return isListed(component) ? [row(component)] : [];
    const all = childrenOf.get(component.id) ?? [];
    const children = all.filter(isListed).map(row);
    if (children.length === 0) return [];
    const { id, name, description } = component;
    const uptime = meanUptimeText(all.map(outage));
    const begins = all.map((each) => sinceOf(intervalsOf(eventsOf.get(each.id) ?? [], now)));
    const since = begins.some((each) => each === null) ? null : Math.min(...begins.map(Number));
    const status = worstStatus(all.map(publicStatus));
    return [{ id, name, description, status, uptime, since, children }];
  });
}

/** Whether the page lists a leaf component at all now. */
export function isListed(component: Component): boolean {
  return !component.onlyShowIfDegraded || publicStatus(component) !== 'operational';
}

/** Whether a line of the page is a group. */
export function isGroupRow(row: ComponentRow | GroupRow): row is GroupRow {
  return 'children' in row;
}
