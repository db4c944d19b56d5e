import { type Static, type TBoolean, type TProperties, Type } from '@sinclair/typebox';
import { type ByFlag, FLAG_MEMBERS } from '../model/page-state.ts';
import { MAINTENANCE_STATUSES, REALTIME_STATUSES } from '../rules/incident-status.ts';
import { IMPACTS } from '../rules/indicator.ts';
import {
  ComponentSchema,
  ComponentStatusText,
  Id,
  incidentMembers,
  Nullable,
  OneOf,
  Timestamp,
} from './schemas.ts';

/*
 * These describe the management API for readers; what is refused, and with which words, is decided by the
 * edits, because one answer names everything that is wrong.
 */

const closed = { additionalProperties: false } as const;
const STATUSES = [...REALTIME_STATUSES, ...MAINTENANCE_STATUSES] as const;
const text = (description: string) => Type.String({ description });
const FLAG_TEXTS: ByFlag<string> = {
  remindPrior: 'Subscribers are reminded an hour before the maintenance begins',
  autoInProgress: 'The maintenance is set to in_progress when it begins',
  autoCompleted: 'The maintenance is completed when it ends',
  toMaintenanceState: 'Its components are under maintenance when it begins',
  toOperationalState: 'Its components are operational when it ends',
  notifyAtStart: 'Subscribers are notified of the automatic start',
  notifyAtEnd: 'Subscribers are notified of the automatic end',
};
/** What a maintenance does by itself. */
const flags = Object.fromEntries(
  Object.entries(FLAG_MEMBERS).map(([key, name]) => [
    name,
    Type.Boolean({ description: FLAG_TEXTS[key as keyof typeof FLAG_MEMBERS] }),
  ]),
) as Record<(typeof FLAG_MEMBERS)[keyof typeof FLAG_MEMBERS], TBoolean>;

/** All members may be left out: of a new thing the edit says which it needs. */
function Call(name: string, members: TProperties, title: string) {
  return Type.Object({ [name]: Type.Partial(Type.Object(members)) }, { title });
}

export const ManagedPageSchema = Type.Object(
  {
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    page_description: Nullable(Type.String()),
    url: Type.String(),
    support_url: Nullable(Type.String()),
    hidden_from_search: Type.Boolean(),
    allow_rss_atom_feeds: Type.Boolean(),
    time_zone: text('IANA name'),
  },
  { ...closed, title: 'ManagedPage' },
);

export const PageCallSchema = Call(
  'page',
  {
    name: Type.String(),
    url: text('Absolute address without query'),
    time_zone: text('IANA name'),
    hidden_from_search: Type.Boolean(),
    page_description: Type.String(),
    support_url: Type.String(),
    allow_rss_atom_feeds: Type.Boolean(),
  },
  'PageCall',
);

export const ManagedComponentSchema = Type.Composite(
  [Type.Omit(ComponentSchema, ['components']), Type.Object({ automation_email: Type.Null() })],
  { ...closed, title: 'ManagedComponent' },
);

export const ComponentCallSchema = Call(
  'component',
  {
    name: Type.String({ description: '1 to 255 characters; required for a new one' }),
    description: Type.String(),
    status: ComponentStatusText,
    group_id: Nullable(Id),
    showcase: Type.Boolean(),
    only_show_if_degraded: Type.Boolean(),
    start_date: Type.String({ format: 'date' }),
  },
  'ComponentCall',
);

export const ManagedGroupSchema = Type.Object(
  {
    id: Id,
    page_id: Id,
    name: Type.String(),
    description: Nullable(Type.String()),
    components: Type.Array(Id, { description: 'In page order' }),
    position: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'ManagedGroup' },
);

export const GroupCallSchema = Call(
  'component_group',
  {
    name: Type.String({ description: '1 to 255 characters; required for a new one' }),
    components: Type.Array(Id, { description: 'In the desired order' }),
    description: Type.String(),
  },
  'GroupCall',
);

export const ManagedIncidentSchema = Type.Object(
  {
    ...incidentMembers,
    status: OneOf(STATUSES, 'Of an incident or of a maintenance'),
    reminder_intervals: Nullable(Type.String()),
    impact_override: Nullable(OneOf(IMPACTS, 'Overrides the computed impact')),
    metadata: Type.Object({}, { additionalProperties: true, description: 'Objects by name' }),
    backfilled: Type.Boolean(),
    scheduled_for: Nullable(Timestamp),
    scheduled_until: Nullable(Timestamp),
    ...flags,
    scheduled_reminded_at: Nullable(Timestamp),
    postmortem_body: Nullable(Type.String()),
    postmortem_body_last_updated_at: Nullable(Timestamp),
    postmortem_published_at: Nullable(Timestamp),
    postmortem_ignored: Type.Boolean(),
    postmortem_notified_subscribers: Type.Boolean(),
    postmortem_notified_twitter: Type.Boolean(),
  },
  { ...closed, title: 'ManagedIncident' },
);

export const IncidentCallSchema = Call(
  'incident',
  {
    name: Type.String({ description: '1 to 255 characters; required for a new one' }),
    status: OneOf(STATUSES, 'New ones: scheduled with a window, else investigating'),
    body: Type.String({ maxLength: 25_000, description: 'Text of the update; absent: that of the status' }),
    component_ids: Type.Array(Id, { description: 'Replaces the attached components' }),
    components: Type.Record(Type.String(), ComponentStatusText, {
      description: 'Status by component id; attaches components that are not attached yet',
    }),
    scheduled_for: text('Start of a maintenance, ISO 8601'),
    scheduled_until: text('End of a maintenance, ISO 8601'),
    ...flags,
    impact_override: OneOf([...IMPACTS, ''] as const, 'Empty removes it'),
    metadata: Type.Object({}, { additionalProperties: true, description: 'Objects by name' }),
    deliver_notifications: Type.Boolean({ default: true, description: 'Whether subscribers are notified' }),
    reminder_intervals: text('Stored unchanged'),
    backfilled: Type.Boolean({ description: 'Whether it lies in the past and is resolved' }),
    backfill_date: text('Date of a backfilled incident'),
  },
  'IncidentCall',
);

export const UpdateCallSchema = Call(
  'incident_update',
  {
    body: Type.String({ maxLength: 25_000 }),
    display_at: text('ISO 8601'),
    deliver_notifications: Type.Boolean(),
  },
  'IncidentUpdateCall',
);

export const UptimeSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    range_start: Timestamp,
    range_end: Timestamp,
    uptime_percentage: Type.Number({ description: 'Rounded half up to four decimals' }),
    major_outage: Type.Integer({ description: 'Seconds' }),
    partial_outage: Type.Integer({ description: 'Seconds; count as three tenths' }),
    warnings: Nullable(Type.String({ description: 'Why the range differs from the requested one' })),
    related_events: Type.Object({ incidents: Type.Array(Id) }, closed),
  },
  { ...closed, title: 'Uptime' },
);

export const PostmortemSchema = Type.Object(
  {
    created_at: Nullable(Timestamp),
    preview_key: Type.Null(),
    body: Nullable(Type.String({ description: 'Null until it is published' })),
    body_updated_at: Nullable(Timestamp),
    body_draft: Type.String(),
    body_draft_updated_at: Nullable(Timestamp),
    published_at: Nullable(Timestamp),
    notify_subscribers: Type.Boolean(),
    notify_twitter: Type.Boolean(),
    custom_tweet: Type.Null(),
  },
  { ...closed, title: 'Postmortem' },
);

export const PostmortemCallSchema = Call(
  'postmortem',
  { body_draft: Type.String({ maxLength: 25_000 }) },
  'PostmortemCall',
);
export const PublishCallSchema = Call(
  'postmortem',
  { notify_subscribers: Type.Boolean({ default: true }) },
  'PublishCall',
);

/** How news reach a subscriber; chosen when it is made. */
export const SUBSCRIBER_MODES = ['webhook', 'slack', 'teams', 'email'] as const;

const subscriberMembers = {
  id: Id,
  mode: OneOf(SUBSCRIBER_MODES, 'How updates are delivered'),
  endpoint: Nullable(text('Receives a POST for every update; null in mode email')),
  email: Nullable(text('Recipient in mode email; otherwise informational')),
  created_at: Timestamp,
};

export const SubscriberSchema = Type.Object(subscriberMembers, { ...closed, title: 'Subscriber' });

export const NewSubscriberSchema = Type.Object(
  { ...subscriberMembers, secret: text('Key of the signatures, shown only in this response') },
  { ...closed, title: 'NewSubscriber' },
);

export const SubscriberCallSchema = Call(
  'subscriber',
  {
    mode: OneOf(SUBSCRIBER_MODES, 'How updates are delivered: webhook by default'),
    endpoint: Type.String({
      maxLength: 2048,
      description: 'Absolute http or https address; required except in mode email',
    }),
    email: Type.String(),
  },
  'SubscriberCall',
);

export const AuditEntrySchema = Type.Object(
  {
    at: Timestamp,
    actor: text('Name of the token, or `command`'),
    call: text('For example `incident.update`'),
    id: text('Subject of the call'),
    before: Nullable(Type.Object({}, { additionalProperties: true })),
    after: Nullable(Type.Object({}, { additionalProperties: true })),
  },
  { ...closed, title: 'AuditEntry' },
);

/** Body of every refusal. @see contracts/status.md section 4, Errors */
export const ManageErrorSchema = Type.Object(
  {
    error: Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'What is wrong; for members of the body, every error.',
    }),
    message: Type.String({ description: 'The same as a single text.' }),
  },
  { title: 'ManagementError' },
);

/** Things as people who manage the page see them. @see contracts/status.md section 4, v1 representations */
export type ManagedPage = Static<typeof ManagedPageSchema>;
export type ManagedComponent = Static<typeof ManagedComponentSchema>;
export type ManagedGroup = Static<typeof ManagedGroupSchema>;
export type ManagedIncident = Static<typeof ManagedIncidentSchema>;
export type ManagedPostmortem = Static<typeof PostmortemSchema>;
export type ManagedUptime = Static<typeof UptimeSchema>;
export type ManagedSubscriber = Static<typeof SubscriberSchema>;
export type NewSubscriber = Static<typeof NewSubscriberSchema>;
export type ManagedAuditEntry = Static<typeof AuditEntrySchema>;
