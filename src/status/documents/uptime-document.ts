import { groupBy } from '../../values/group-by.ts';
import { inPageOrder } from '../model/page-order.ts';
import type { PageState } from '../model/page-state.ts';
import type { StatusChangeAt } from '../model/stretches.ts';
import {
  type ComponentDay,
  componentDays,
  intervalsOf,
  lastDays,
  outageTime,
} from '../uptime/status-history.ts';
import { type StatusDurations, uptimeText } from '../uptime/uptime-figures.ts';
import { describePage } from './describe-page.ts';
import type { UptimeDocument } from './schemas.ts';

/** Days of the page and of `uptime.json`. */
const UPTIME_DAYS = 90;

/**
 * Uptime of every leaf component by local day, oldest first, today included.
 *
 * @param events as the repository gives them for the range.
 * @see contracts/status.md sections 2 (uptime.json) and 9
 */
export function uptimeDocument(
  state: PageState,
  events: readonly StatusChangeAt[],
  now: number,
): UptimeDocument {
  const { page, time } = describePage(state);
  const days = lastDays(time, now, UPTIME_DAYS);
  const start = days[0]?.start ?? now;
  const byComponent = groupBy(events, ({ componentId }) => componentId);
  const leaves = inPageOrder(state.components.filter(({ group }) => !group));
  return {
    page,
    range_start: time.print(start),
    range_end: time.print(now),
    components: leaves.map(({ id, name }) => {
      const intervals = intervalsOf(byComponent.get(id) ?? [], now);
      return {
        id,
        name,
        // Cut, not rounded: 100 means that there was no outage at all.
        uptime_percentage: Number(uptimeText(outageTime(intervals, start, now))),
        days: componentDays(intervals, days).map(describeDay),
      };
    }),
  };
}

function describeDay({ date, status, durations }: ComponentDay) {
  const seconds = (of: keyof StatusDurations) => Math.round(durations[of] / 1000);
  return {
    date,
    status,
    major_outage: seconds('major_outage'),
    partial_outage: seconds('partial_outage'),
    degraded_performance: seconds('degraded_performance'),
    under_maintenance: seconds('under_maintenance'),
  };
}

/** The instant from which on events are needed, UTC milliseconds. */
export function uptimeStart(state: PageState, now: number): number {
  return lastDays(describePage(state).time, now, UPTIME_DAYS)[0]?.start ?? now;
}
