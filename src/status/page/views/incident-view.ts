import { fullName, inPageOrder, newestUpdatesFirst, shownStatus } from '../../model/page-order.ts';
import type { Incident, IncidentUpdate, PageState } from '../../model/page-state.ts';
import type { Downtime } from '../../model/stretches.ts';
import type { ComponentStatus } from '../../rules/component-status.ts';
import { type IncidentKind, type IncidentStatus, OPEN_STATUSES } from '../../rules/incident-status.ts';
import { type Impact, shownImpact } from '../../rules/indicator.ts';

/** An incident or maintenance as pages show it. Instants are UTC milliseconds. */
export interface IncidentView {
  readonly id: string;
  readonly kind: IncidentKind;
  readonly name: string;
  readonly status: IncidentStatus;
  readonly impact: Impact;
  readonly isOpen: boolean;
  readonly startedAt: number;
  readonly resolvedAt: number | null;
  /** Null exactly for real-time incidents. */
  readonly window: { readonly from: number; readonly to: number } | null;
  /** Whether a maintenance should have begun, or ended, by now. */
  readonly isOverdue: boolean;
  /** The attached components as they are now. */
  readonly affected: readonly { readonly name: string; readonly status: ComponentStatus }[];
  /** Newest first. */
  readonly updates: readonly IncidentUpdate[];
}

/** What is shown of an incident at an instant, UTC milliseconds. */
export function incidentView(incident: Incident, { components }: PageState, now: number): IncidentView {
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
    window,
    isOverdue: isOpen && due !== undefined && due < now,
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
