import { fullName, inPageOrder, newestUpdatesFirst, shownStatus } from '../../model/page-order.ts';
import type { Downtime, Incident, PageState } from '../../model/page-state.ts';
import { OPEN_STATUSES } from '../../rules/incident-status.ts';
import { shownImpact } from '../../rules/indicator.ts';

/** An incident or maintenance as pages show it. Instants are UTC milliseconds. */
export type IncidentView = ReturnType<typeof incidentView>;

/** What is shown of an incident at an instant, UTC milliseconds. */
export function incidentView(incident: Incident, { components }: PageState, now: number) {
  const { id, kind, name, status, startedAt, resolvedAt, scheduledFor, scheduledUntil } = incident;
  const attached = new Set(incident.componentIds);
  const window = scheduledFor === null ? null : { from: scheduledFor, to: scheduledUntil ?? scheduledFor };
  const isOpen = OPEN_STATUSES.has(status);
  const due = status === 'scheduled' ? window?.from : window?.to;
  return {
    id,
    kind,
    name,
    status,
    impact: shownImpact(incident),
    isOpen,
    startedAt,
    resolvedAt,
    /** Null exactly for real-time incidents. */
    window,
    /** Whether a maintenance should have begun, or ended, by now. */
    isOverdue: isOpen && due !== undefined && due < now,
    /** The attached components as they are now. */
    affected: inPageOrder(components.filter((component) => attached.has(component.id))).map((component) => ({
      name: fullName(component, components),
      status: shownStatus(component, components),
    })),
    updates: newestUpdatesFirst(incident.updates),
  };
}

/**
 * The instant that says under which day an entry stands in lists of the past: when it began. A maintenance that was
 * called off earlier stands where that happened. UTC milliseconds.
 */
export function beganAt(entry: Pick<Incident, 'startedAt' | 'scheduledFor' | 'resolvedAt'>): number {
  const { startedAt, scheduledFor, resolvedAt } = entry;
  if (scheduledFor === null) return startedAt;
  return resolvedAt === null ? scheduledFor : Math.min(scheduledFor, resolvedAt);
}

/** A day of the past with what began on it, newest first. */
export interface PastDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly incidents: readonly IncidentView[];
  /** Stretches without a server, newest first. */
  readonly downtimes: readonly Downtime[];
}
