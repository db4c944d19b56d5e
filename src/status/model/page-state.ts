import type { ComponentStatus } from '../rules/component-status.ts';
import type { IncidentKind, IncidentStatus } from '../rules/incident-status.ts';
import type { ComputedImpact, Impact } from '../rules/indicator.ts';

/** The one status page of an installation. Instants here and below are UTC milliseconds. */
export interface Page {
  readonly id: string;
  readonly name: string;
  /** Absolute, without a slash at the end. */
  readonly url: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly description: string | null;
  readonly supportUrl: string | null;
  readonly hiddenFromSearch: boolean;
  readonly allowFeeds: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Grows with every commit of this area. */
  readonly revision: number;
}

/** A component, or a group of components when `group` is true. */
export interface Component {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly group: boolean;
  readonly groupId: string | null;
  /** From 1, counted per parent; gaps are normal. */
  readonly position: number;
  /** Layer set by people; a group's stays operational and is never shown. */
  readonly manualStatus: ComponentStatus;
  /** Layer set by probes; operational when no probe is bound. */
  readonly monitorStatus: ComponentStatus;
  readonly showcase: boolean;
  readonly onlyShowIfDegraded: boolean;
  /** `YYYY-MM-DD`. */
  readonly startDate: string | null;
  /** Name of the probe that drives the monitor layer. */
  readonly probe: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One attached component as it was at an update; `name` carries its group's name. */
export interface AffectedComponent {
  readonly code: string;
  readonly name: string;
  readonly old_status: ComponentStatus;
  readonly new_status: ComponentStatus;
}

/** One message about an incident or maintenance, with the status it had then. */
export interface IncidentUpdate {
  readonly id: string;
  readonly status: IncidentStatus;
  readonly body: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly displayAt: number;
  /** Null when the call named no components. */
  readonly affectedComponents: readonly AffectedComponent[] | null;
  readonly deliverNotifications: boolean;
}

/** What a maintenance does by itself, by the names in calls, v1 answers and columns. @see contracts/status.md section 4, v1 representations */
export const FLAG_MEMBERS = {
  remindPrior: 'scheduled_remind_prior',
  autoInProgress: 'scheduled_auto_in_progress',
  autoCompleted: 'scheduled_auto_completed',
  toMaintenanceState: 'auto_transition_to_maintenance_state',
  toOperationalState: 'auto_transition_to_operational_state',
  notifyAtStart: 'auto_transition_deliver_notifications_at_start',
  notifyAtEnd: 'auto_transition_deliver_notifications_at_end',
} as const;

/** One value for each flag. */
export type ByFlag<T> = Readonly<Record<keyof typeof FLAG_MEMBERS, T>>;

/** Kept but without effect on real-time incidents. */
export type MaintenanceFlags = ByFlag<boolean>;

/** Makes the value of each flag. */
export function byFlag<T>(make: (flag: keyof MaintenanceFlags) => T): ByFlag<T> {
  const flags = Object.keys(FLAG_MEMBERS) as (keyof MaintenanceFlags)[];
  return Object.fromEntries(flags.map((flag) => [flag, make(flag)])) as ByFlag<T>;
}

/** The report after an incident; empty until one is written. */
export interface Postmortem {
  readonly body: string | null;
  readonly bodyUpdatedAt: number | null;
  readonly publishedAt: number | null;
  readonly ignored: boolean;
  readonly notifiedSubscribers: boolean;
  readonly notifiedTwitter: boolean;
}

/** A real-time incident or a scheduled maintenance, with its updates in order of insertion. */
export interface Incident {
  readonly id: string;
  readonly kind: IncidentKind;
  readonly name: string;
  readonly status: IncidentStatus;
  /** Worst impact that the attached components ever gave. */
  readonly peakImpact: ComputedImpact;
  readonly impactOverride: Impact | null;
  readonly backfilled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number;
  readonly monitoringAt: number | null;
  readonly resolvedAt: number | null;
  /** Null exactly for real-time incidents, as is `scheduledUntil`. */
  readonly scheduledFor: number | null;
  readonly scheduledUntil: number | null;
  readonly remindedAt: number | null;
  readonly flags: MaintenanceFlags;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly reminderIntervals: string | null;
  readonly postmortem: Postmortem;
  /** Ids of the attached components, sorted as text. */
  readonly componentIds: readonly string[];
  readonly updates: readonly IncidentUpdate[];
}

/**
 * What a change may look at: the page, all components and some incidents, each list in order of insertion.
 *
 * The incidents are the open ones (maintenances included) and the one that the change names.
 */
export interface PageState {
  readonly page: Page;
  readonly components: readonly Component[];
  readonly incidents: readonly Incident[];
}

/** A change of a component's public status, the source of its uptime. */
export interface ComponentEvent {
  readonly componentId: string;
  /** Null for the event of its creation. */
  readonly from: ComponentStatus | null;
  readonly to: ComponentStatus;
  readonly layer: 'manual' | 'monitor';
  /** What changed it, for example `component`, `incident:<id>`, `monitor`. */
  readonly cause: string;
  readonly at: number;
}

/** A range of time, UTC milliseconds; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A range in which no server ran. */
export type Downtime = Range;

/** A change of a component's public status; `at` in UTC milliseconds. */
export interface StatusChangeAt {
  readonly componentId: string;
  readonly to: ComponentStatus;
  readonly at: number;
}

/** A stretch of a list. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}
