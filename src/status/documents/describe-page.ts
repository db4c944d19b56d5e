import { childrenOf, inPageOrder, newestUpdatesFirst, shownStatus } from '../model/page-order.ts';
import type { Component, Incident, IncidentUpdate, Page, PageState } from '../model/page-state.ts';
import type { MaintenanceStatus, RealtimeStatus } from '../rules/incident-status.ts';
import { shownImpact } from '../rules/indicator.ts';
import { createZonedTime, type ZonedTime } from '../rules/zoned-time.ts';
import type {
  ComponentDocument,
  IncidentDocument,
  IncidentUpdateDocument,
  MaintenanceDocument,
} from './schemas.ts';

/** Turns the parts of one state into what clients read; members come in the specification's order. @see contracts/status.md section 2 */
export function describePage(state: PageState) {
  const { page } = state;
  const time = createZonedTime(page.timeZone);
  const describe = componentDescriber(state.components, page, time);
  const components = inPageOrder(state.components).map(describe);

  function update(incidentId: string, entry: IncidentUpdate): IncidentUpdateDocument {
    return {
      id: entry.id,
      status: entry.status,
      body: entry.body,
      incident_id: incidentId,
      created_at: time.print(entry.createdAt),
      updated_at: time.print(entry.updatedAt),
      display_at: time.print(entry.displayAt),
      affected_components: entry.affectedComponents === null ? null : [...entry.affectedComponents],
      deliver_notifications: entry.deliverNotifications,
      custom_tweet: null,
      tweet_id: null,
    };
  }

  function common<S extends RealtimeStatus | MaintenanceStatus>(incident: Incident, status: S) {
    const attached = new Set(incident.componentIds);
    return {
      id: incident.id,
      name: incident.name,
      status,
      created_at: time.print(incident.createdAt),
      updated_at: time.print(incident.updatedAt),
      monitoring_at: printOrNull(time, incident.monitoringAt),
      resolved_at: printOrNull(time, incident.resolvedAt),
      impact: shownImpact(incident),
      shortlink: `${page.url}/i/${incident.id}`,
      started_at: time.print(incident.startedAt),
      page_id: page.id,
      incident_updates: newestUpdatesFirst(incident.updates).map((entry) => update(incident.id, entry)),
      components: components.filter(({ id }) => attached.has(id)),
    };
  }

  return {
    page: {
      id: page.id,
      name: page.name,
      url: page.url,
      time_zone: page.timeZone,
      updated_at: time.print(page.updatedAt),
    },
    /** All components, groups and leaves, in page order. */
    components,
    incident: (incident: Incident): IncidentDocument => ({
      ...common(incident, incident.status as RealtimeStatus),
      reminder_intervals: incident.reminderIntervals,
    }),
    maintenance: (maintenance: Incident): MaintenanceDocument => ({
      ...common(maintenance, maintenance.status as MaintenanceStatus),
      scheduled_for: time.print(maintenance.scheduledFor ?? maintenance.createdAt),
      scheduled_until: time.print(maintenance.scheduledUntil ?? maintenance.createdAt),
    }),
    update,
    /** The zone of the page. */
    time,
  };
}

/** Prints an instant; null stays null. */
export function printOrNull(time: ZonedTime, instant: number | null): string | null {
  return instant === null ? null : time.print(instant);
}

function componentDescriber(components: readonly Component[], page: Page, time: ZonedTime) {
  return (component: Component): ComponentDocument => ({
    id: component.id,
    name: component.name,
    status: shownStatus(component, components),
    created_at: time.print(component.createdAt),
    updated_at: time.print(component.updatedAt),
    position: component.position,
    description: component.description,
    showcase: component.showcase,
    start_date: component.startDate,
    group_id: component.groupId,
    page_id: page.id,
    group: component.group,
    only_show_if_degraded: component.onlyShowIfDegraded,
    ...(component.group ? { components: childrenOf(components, component.id).map(({ id }) => id) } : {}),
  });
}
