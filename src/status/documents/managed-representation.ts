import { findGroup } from '../edits/edit-group.ts';
import { findPostmortem } from '../edits/edit-postmortem.ts';
import { findComponent, findIncident, findUpdate } from '../edits/edited-state.ts';
import { childrenOf, inPageOrder } from '../model/page-order.ts';
import { FLAG_MEMBERS, type Incident, type MaintenanceFlags, type PageState } from '../model/page-state.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import { describePage, printOrNull } from './describe-page.ts';
import type {
  ManagedComponent,
  ManagedGroup,
  ManagedIncident,
  ManagedPage,
  ManagedPostmortem,
} from './managed-schemas.ts';
import type { IncidentUpdateDocument } from './schemas.ts';

type FlagMember = (typeof FLAG_MEMBERS)[keyof MaintenanceFlags];

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

/** `body` is what visitors read, null before they do; `body_draft` the newest text. @throws StatusNotFoundError when the incident or its postmortem does not exist. */
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
