import { findComponent } from '../edits/component-state.ts';
import { findGroup } from '../edits/edit-group.ts';
import { findPostmortem } from '../edits/edit-postmortem.ts';
import { FLAG_MEMBERS } from '../edits/incident-members.ts';
import { findIncident, findUpdate } from '../edits/incident-state.ts';
import { childrenOf, inPageOrder } from '../model/page-order.ts';
import type { Incident, MaintenanceFlags, PageState } from '../model/page-state.ts';
import type { IncidentStatus } from '../rules/incident-status.ts';
import type { Impact } from '../rules/indicator.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import { describePage, printOrNull } from './describe-page.ts';
import type { ComponentDocument, IncidentDocument, IncidentUpdateDocument } from './schemas.ts';

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

/** The page as people who manage it see it. @see contracts/status.md section 4, Endpoints served */
export interface ManagedPage {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string;
  readonly page_description: string | null;
  readonly url: string;
  readonly support_url: string | null;
  readonly hidden_from_search: boolean;
  readonly allow_rss_atom_feeds: boolean;
  readonly time_zone: string;
}

/** The page itself. */
export function managedPage({ page }: PageState): ManagedPage {
  const time = createZonedTime(page.timeZone);
  return {
    id: page.id,
    created_at: time.print(page.createdAt),
    updated_at: time.print(page.updatedAt),
    name: page.name,
    page_description: page.description,
    url: page.url,
    support_url: page.supportUrl,
    hidden_from_search: page.hiddenFromSearch,
    allow_rss_atom_feeds: page.allowFeeds,
    time_zone: page.timeZone,
  };
}

/** All components, leaves and groups, in page order. */
export function managedComponents(state: PageState): readonly ManagedComponent[] {
  return describePage(state).components.map(({ components: _, ...members }) => ({
    ...members,
    automation_email: null,
  }));
}

/** @throws StatusNotFoundError */
export function managedComponent(state: PageState, id: string): ManagedComponent {
  const { id: found } = findComponent(state, id);
  const component = managedComponents(state).find((each) => each.id === found);
  if (component === undefined) throw new Error(`Component ${found} is missing from its page`);
  return component;
}

/** All groups in page order. */
export function managedGroups(state: PageState): readonly ManagedGroup[] {
  const groups = inPageOrder(state.components.filter(({ group }) => group));
  return groups.map(({ id }) => managedGroup(state, id));
}

/** @throws StatusNotFoundError */
export function managedGroup(state: PageState, id: string): ManagedGroup {
  const group = findGroup(state, id);
  const time = createZonedTime(state.page.timeZone);
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
  return incidentDescriber(state)(findIncident(state, id));
}

/** The given incidents of a state, in the order given. */
export function managedIncidents(
  state: PageState,
  incidents: readonly Incident[],
): readonly ManagedIncident[] {
  return incidents.map(incidentDescriber(state));
}

function incidentDescriber(state: PageState): (incident: Incident) => ManagedIncident {
  const describer = describePage(state);
  const print = (instant: number | null) => printOrNull(describer.time, instant);
  return (incident) => {
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
  };
}

/** A postmortem as people who write it see it: `body` is what visitors read, null before they do; `body_draft` the newest text. */
export interface ManagedPostmortem {
  readonly created_at: string | null;
  readonly preview_key: null;
  readonly body: string | null;
  readonly body_updated_at: string | null;
  readonly body_draft: string;
  readonly body_draft_updated_at: string | null;
  readonly published_at: string | null;
  readonly notify_subscribers: boolean;
  readonly notify_twitter: boolean;
  readonly custom_tweet: null;
}

/** @throws StatusNotFoundError when the incident or its postmortem does not exist. */
export function managedPostmortem(state: PageState, incidentId: string): ManagedPostmortem {
  const { body, bodyUpdatedAt, publishedAt, notifiedSubscribers, notifiedTwitter } = findPostmortem(
    state,
    incidentId,
  );
  const time = createZonedTime(state.page.timeZone);
  const updatedAt = printOrNull(time, bodyUpdatedAt);
  const published = findIncident(state, incidentId).updates.find(({ status }) => status === 'postmortem');
  return {
    created_at: updatedAt,
    preview_key: null,
    body: published?.body ?? null,
    body_updated_at: printOrNull(time, published?.updatedAt ?? null),
    body_draft: body,
    body_draft_updated_at: updatedAt,
    published_at: printOrNull(time, publishedAt),
    notify_subscribers: notifiedSubscribers,
    notify_twitter: notifiedTwitter,
    custom_tweet: null,
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
