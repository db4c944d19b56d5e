import { describePage, printOrNull } from './documents/describe-page.ts';
import type { ComponentDocument, IncidentDocument, IncidentUpdateDocument } from './documents/schemas.ts';
import { findComponent } from './edits/component-state.ts';
import { findGroup } from './edits/edit-group.ts';
import { FLAG_MEMBERS } from './edits/incident-members.ts';
import { findIncident, findUpdate } from './edits/incident-state.ts';
import type { MaintenanceFlags, PageState } from './model.ts';
import type { IncidentStatus } from './rules/incident-status.ts';
import type { Impact } from './rules/indicator.ts';
import { childrenOf } from './rules/page-order.ts';

/** A component as people who manage the page see it. @see contracts/status.md section 4, v1 representations */
export type ManagedComponent = Omit<ComponentDocument, 'components'> & { readonly automation_email: null };

/** A group as people who manage the page see it; `components` are ids in page order. */
export interface ManagedGroup {
  readonly id: string;
  readonly page_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly components: readonly string[];
  readonly position: number;
  readonly created_at: string;
  readonly updated_at: string;
}

type FlagMember = (typeof FLAG_MEMBERS)[keyof MaintenanceFlags];

/** An incident or maintenance: the public members and those that only its editors need. */
export type ManagedIncident = Omit<IncidentDocument, 'status'> &
  Readonly<Record<FlagMember, boolean>> & {
    readonly status: IncidentStatus;
    readonly impact_override: Impact | null;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly backfilled: boolean;
    readonly scheduled_for: string | null;
    readonly scheduled_until: string | null;
    readonly scheduled_reminded_at: string | null;
    readonly postmortem_body: string | null;
    readonly postmortem_body_last_updated_at: string | null;
    readonly postmortem_published_at: string | null;
    readonly postmortem_ignored: boolean;
    readonly postmortem_notified_subscribers: boolean;
    readonly postmortem_notified_twitter: boolean;
  };

/** @throws StatusNotFoundError */
export function managedComponent(state: PageState, id: string): ManagedComponent {
  const { id: found } = findComponent(state, id);
  const document = describePage(state).components.find((component) => component.id === found);
  if (document === undefined) throw new Error(`Component ${found} is missing from its page`);
  const { components: _, ...members } = document;
  return { ...members, automation_email: null };
}

/** @throws StatusNotFoundError */
export function managedGroup(state: PageState, id: string): ManagedGroup {
  const group = findGroup(state, id);
  const { time } = describePage(state);
  return {
    id: group.id,
    page_id: state.page.id,
    name: group.name,
    description: group.description,
    components: childrenOf(state.components, id).map((child) => child.id),
    position: group.position,
    created_at: time.print(group.createdAt),
    updated_at: time.print(group.updatedAt),
  };
}

/** @throws StatusNotFoundError */
export function managedIncident(state: PageState, id: string): ManagedIncident {
  const incident = findIncident(state, id);
  const describer = describePage(state);
  const print = (instant: number | null) => printOrNull(describer.time, instant);
  const { flags, postmortem } = incident;
  const shownFlags = Object.fromEntries(
    Object.entries(FLAG_MEMBERS).map(([key, member]) => [member, flags[key as keyof MaintenanceFlags]]),
  ) as Record<FlagMember, boolean>;
  return {
    ...describer.incident(incident),
    status: incident.status,
    impact_override: incident.impactOverride,
    metadata: incident.metadata,
    backfilled: incident.backfilled,
    scheduled_for: print(incident.scheduledFor),
    scheduled_until: print(incident.scheduledUntil),
    ...shownFlags,
    scheduled_reminded_at: print(incident.remindedAt),
    postmortem_body: postmortem.body,
    postmortem_body_last_updated_at: print(postmortem.bodyUpdatedAt),
    postmortem_published_at: print(postmortem.publishedAt),
    postmortem_ignored: postmortem.ignored,
    postmortem_notified_subscribers: postmortem.notifiedSubscribers,
    postmortem_notified_twitter: postmortem.notifiedTwitter,
  };
}

/** @throws StatusNotFoundError */
export function managedUpdate(
  state: PageState,
  incidentId: string,
  updateId: string,
): IncidentUpdateDocument {
  const update = findUpdate(findIncident(state, incidentId), updateId);
  return describePage(state).update(incidentId, update);
}
