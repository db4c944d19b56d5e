import type { DocumentCache } from '../../pages/document-cache.ts';
import { type EncodedDocument, encodeDocument } from '../../pages/encoded-document.ts';
import { groupBy } from '../../values/group-by.ts';
import { findComponent, findIncident } from '../edits/edited-state.ts';
import { StatusNotFoundError } from '../errors.ts';
import { inPageOrder } from '../model/page-order.ts';
import type { PageState, StatusChangeAt } from '../model/page-state.ts';
import type { StatusRepository } from '../store/status-repository.ts';
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

/** Uptime changes by itself; to the percent nobody sees a minute. */
const UPTIME_KEEP_MS = 60_000;

/** The documents of the API that are not built with each change, but when somebody asks. */
export type OnDemandDocuments = ReturnType<typeof createOnDemandDocuments>;

/** @see contracts/status.md section 2, Other public documents */
export function createOnDemandDocuments(repository: StatusRepository, cache: Pick<DocumentCache, 'get'>) {
  return {
    /** Uptime of 90 days, at most a minute old. */
    uptime: () =>
      cache.get('uptime.json', UPTIME_KEEP_MS, async (now) => {
        const state = await repository.read(null);
        const events = await repository.readEvents(uptimeStart(state, now));
        return encodeDocument(uptimeDocument(state, events, now), new Date(now).toUTCString());
      }),
    /** @throws StatusNotFoundError */
    component: (id: string) =>
      cache.get(`component ${id}.json`, null, async () => {
        if (!(await repository.hasComponent(id))) throw new StatusNotFoundError('component', id);
        const state = await repository.read(null);
        const { id: found } = findComponent(state, id);
        const { page, components } = describePage(state);
        return ofPage(state, { page, component: components.find((each) => each.id === found) });
      }),
    /** An incident or a maintenance. @throws StatusNotFoundError */
    incident: (id: string) =>
      cache.get(`incident ${id}.json`, null, async () => {
        if (!(await repository.hasIncident(id))) throw new StatusNotFoundError('incident', id);
        const state = await repository.read(id);
        const found = findIncident(state, id);
        const describe = describePage(state);
        const incident = found.kind === 'realtime' ? describe.incident(found) : describe.maintenance(found);
        return ofPage(state, { page: describe.page, incident });
      }),
  };
}

function ofPage({ page }: PageState, document: unknown): EncodedDocument {
  return encodeDocument(document, new Date(page.updatedAt).toUTCString());
}

/** Days of the page and of `uptime.json`. */
const UPTIME_DAYS = 90;

/**
 * Uptime of every leaf component by local day, oldest first, today included.
 *
 * @param events as the repository gives them for the range.
 * @see contracts/status.md sections 2 (uptime.json) and 9
 */
function uptimeDocument(state: PageState, events: readonly StatusChangeAt[], now: number): UptimeDocument {
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
function uptimeStart(state: PageState, now: number): number {
  return lastDays(describePage(state).time, now, UPTIME_DAYS)[0]?.start ?? now;
}
