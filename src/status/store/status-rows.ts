import type { AffectedComponent, Component, Incident, IncidentUpdate, Page } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { IncidentKind, IncidentStatus } from '../rules/incident-status.ts';
import type { ComputedImpact, Impact } from '../rules/indicator.ts';

/** Rows of `status_page`; flags are 0 or 1, instants UTC milliseconds, objects JSON text. */
export interface PageRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly time_zone: string;
  readonly page_description: string | null;
  readonly support_url: string | null;
  readonly hidden_from_search: number;
  readonly allow_rss_atom_feeds: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly revision: number;
}

export interface ComponentRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly is_group: number;
  readonly group_id: string | null;
  readonly position: number;
  readonly manual_status: string;
  readonly monitor_status: string;
  readonly showcase: number;
  readonly only_show_if_degraded: number;
  readonly start_date: string | null;
  readonly probe: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface IncidentRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly peak_impact: string;
  readonly impact_override: string | null;
  readonly backfilled: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly started_at: number;
  readonly monitoring_at: number | null;
  readonly resolved_at: number | null;
  readonly scheduled_for: number | null;
  readonly scheduled_until: number | null;
  readonly scheduled_reminded_at: number | null;
  readonly scheduled_remind_prior: number;
  readonly scheduled_auto_in_progress: number;
  readonly scheduled_auto_completed: number;
  readonly auto_transition_to_maintenance_state: number;
  readonly auto_transition_to_operational_state: number;
  readonly auto_transition_deliver_notifications_at_start: number;
  readonly auto_transition_deliver_notifications_at_end: number;
  readonly metadata: string;
  readonly reminder_intervals: string | null;
  readonly postmortem_body: string | null;
  readonly postmortem_body_last_updated_at: number | null;
  readonly postmortem_published_at: number | null;
  readonly postmortem_ignored: number;
  readonly postmortem_notified_subscribers: number;
  readonly postmortem_notified_twitter: number;
}

export interface UpdateRow {
  readonly id: string;
  readonly incident_id: string;
  readonly status: string;
  readonly body: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly display_at: number;
  readonly affected_components: string | null;
  readonly deliver_notifications: number;
}

const flag = (value: boolean): number => (value ? 1 : 0);

/** The row of a page, without its configured URL. */
export function pageRow(page: Page): PageRow {
  return {
    id: page.id,
    name: page.name,
    url: page.url,
    time_zone: page.timeZone,
    page_description: page.description,
    support_url: page.supportUrl,
    hidden_from_search: flag(page.hiddenFromSearch),
    allow_rss_atom_feeds: flag(page.allowFeeds),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    revision: page.revision,
  };
}

/** The page of a row. */
export function pageOf(row: PageRow): Page {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    timeZone: row.time_zone,
    description: row.page_description,
    supportUrl: row.support_url,
    hiddenFromSearch: row.hidden_from_search === 1,
    allowFeeds: row.allow_rss_atom_feeds === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  };
}

/** The row of a component. */
export function componentRow(component: Component): ComponentRow {
  return {
    id: component.id,
    name: component.name,
    description: component.description,
    is_group: flag(component.group),
    group_id: component.groupId,
    position: component.position,
    manual_status: component.manualStatus,
    monitor_status: component.monitorStatus,
    showcase: flag(component.showcase),
    only_show_if_degraded: flag(component.onlyShowIfDegraded),
    start_date: component.startDate,
    probe: component.probe,
    created_at: component.createdAt,
    updated_at: component.updatedAt,
  };
}

/** The component of a row; statuses are trusted, only this area writes them. */
export function componentOf(row: ComponentRow): Component {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    group: row.is_group === 1,
    groupId: row.group_id,
    position: row.position,
    manualStatus: row.manual_status as ComponentStatus,
    monitorStatus: row.monitor_status as ComponentStatus,
    showcase: row.showcase === 1,
    onlyShowIfDegraded: row.only_show_if_degraded === 1,
    startDate: row.start_date,
    probe: row.probe,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The row of an incident; its updates and components have tables of their own. */
export function incidentRow(incident: Incident): IncidentRow {
  const { flags, postmortem } = incident;
  return {
    id: incident.id,
    kind: incident.kind,
    name: incident.name,
    status: incident.status,
    peak_impact: incident.peakImpact,
    impact_override: incident.impactOverride,
    backfilled: flag(incident.backfilled),
    created_at: incident.createdAt,
    updated_at: incident.updatedAt,
    started_at: incident.startedAt,
    monitoring_at: incident.monitoringAt,
    resolved_at: incident.resolvedAt,
    scheduled_for: incident.scheduledFor,
    scheduled_until: incident.scheduledUntil,
    scheduled_reminded_at: incident.remindedAt,
    scheduled_remind_prior: flag(flags.remindPrior),
    scheduled_auto_in_progress: flag(flags.autoInProgress),
    scheduled_auto_completed: flag(flags.autoCompleted),
    auto_transition_to_maintenance_state: flag(flags.toMaintenanceState),
    auto_transition_to_operational_state: flag(flags.toOperationalState),
    auto_transition_deliver_notifications_at_start: flag(flags.notifyAtStart),
    auto_transition_deliver_notifications_at_end: flag(flags.notifyAtEnd),
    metadata: JSON.stringify(incident.metadata),
    reminder_intervals: incident.reminderIntervals,
    postmortem_body: postmortem.body,
    postmortem_body_last_updated_at: postmortem.bodyUpdatedAt,
    postmortem_published_at: postmortem.publishedAt,
    postmortem_ignored: flag(postmortem.ignored),
    postmortem_notified_subscribers: flag(postmortem.notifiedSubscribers),
    postmortem_notified_twitter: flag(postmortem.notifiedTwitter),
  };
}

/** The incident of a row with what belongs to it. */
export function incidentOf(
  row: IncidentRow,
  componentIds: readonly string[],
  updates: readonly IncidentUpdate[],
): Incident {
  return {
    id: row.id,
    kind: row.kind as IncidentKind,
    name: row.name,
    status: row.status as IncidentStatus,
    peakImpact: row.peak_impact as ComputedImpact,
    impactOverride: row.impact_override as Impact | null,
    backfilled: row.backfilled === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    monitoringAt: row.monitoring_at,
    resolvedAt: row.resolved_at,
    scheduledFor: row.scheduled_for,
    scheduledUntil: row.scheduled_until,
    remindedAt: row.scheduled_reminded_at,
    flags: {
      remindPrior: row.scheduled_remind_prior === 1,
      autoInProgress: row.scheduled_auto_in_progress === 1,
      autoCompleted: row.scheduled_auto_completed === 1,
      toMaintenanceState: row.auto_transition_to_maintenance_state === 1,
      toOperationalState: row.auto_transition_to_operational_state === 1,
      notifyAtStart: row.auto_transition_deliver_notifications_at_start === 1,
      notifyAtEnd: row.auto_transition_deliver_notifications_at_end === 1,
    },
    metadata: JSON.parse(row.metadata) as Incident['metadata'],
    reminderIntervals: row.reminder_intervals,
    postmortem: {
      body: row.postmortem_body,
      bodyUpdatedAt: row.postmortem_body_last_updated_at,
      publishedAt: row.postmortem_published_at,
      ignored: row.postmortem_ignored === 1,
      notifiedSubscribers: row.postmortem_notified_subscribers === 1,
      notifiedTwitter: row.postmortem_notified_twitter === 1,
    },
    componentIds,
    updates,
  };
}

/** The row of an update. */
export function updateRow(incidentId: string, update: IncidentUpdate): UpdateRow {
  const affected = update.affectedComponents;
  return {
    id: update.id,
    incident_id: incidentId,
    status: update.status,
    body: update.body,
    created_at: update.createdAt,
    updated_at: update.updatedAt,
    display_at: update.displayAt,
    affected_components: affected === null ? null : JSON.stringify(affected),
    deliver_notifications: flag(update.deliverNotifications),
  };
}

/** The update of a row. */
export function updateOf(row: UpdateRow): IncidentUpdate {
  const affected = row.affected_components;
  return {
    id: row.id,
    status: row.status as IncidentStatus,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    displayAt: row.display_at,
    affectedComponents: affected === null ? null : (JSON.parse(affected) as AffectedComponent[]),
    deliverNotifications: row.deliver_notifications === 1,
  };
}
