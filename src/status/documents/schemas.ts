import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../rules/component-status.ts';
import { MAINTENANCE_STATUSES, REALTIME_STATUSES } from '../rules/incident-status.ts';
import { DESCRIPTIONS, IMPACTS, INDICATORS } from '../rules/indicator.ts';

const closed = { additionalProperties: false } as const;

/** A value or null. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** One of some fixed texts. */
export function OneOf<const T extends readonly string[]>(values: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
}

/** @see contracts/status.md section 2, ids */
export const Id = Type.String({
  pattern: '^[0-9b-df-hj-np-tv-z]{12}$',
  description: 'Twelve digits and consonants',
});
/** @see contracts/status.md section 2, timestamps */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with milliseconds, in the time zone of the page: Z or the offset at that instant',
});
/** @see contracts/status.md section 3 */
export const ComponentStatusText = OneOf(COMPONENT_STATUSES, 'Public status of a component');

const PageSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String({ description: 'Address of the status page' }),
    time_zone: Type.String({ description: 'IANA name' }),
    updated_at: Timestamp,
  },
  { ...closed, title: 'StatusPage' },
);

const StatusSchema = Type.Object(
  {
    indicator: OneOf(INDICATORS, 'Overall severity'),
    description: OneOf(DESCRIPTIONS, 'Fixed text for the indicator'),
  },
  { ...closed, title: 'OverallStatus' },
);

/** A leaf, or a group with the ids of its children. */
export const ComponentSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    status: ComponentStatusText,
    created_at: Timestamp,
    updated_at: Timestamp,
    position: Type.Integer({ minimum: 1, description: 'Position within its parent' }),
    description: Nullable(Type.String()),
    showcase: Type.Boolean(),
    start_date: Nullable(Type.String({ format: 'date' })),
    group_id: Nullable(Id),
    page_id: Id,
    group: Type.Boolean(),
    only_show_if_degraded: Type.Boolean(),
    components: Type.Optional(Type.Array(Id, { description: 'Children, only of groups' })),
  },
  { ...closed, title: 'Component' },
);

const AffectedComponentSchema = Type.Object(
  {
    code: Type.String({ description: 'Id of the component, which may be deleted by now' }),
    name: Type.String(),
    old_status: ComponentStatusText,
    new_status: ComponentStatusText,
  },
  { ...closed, title: 'AffectedComponent' },
);

export const IncidentUpdateSchema = Type.Object(
  {
    id: Id,
    status: OneOf([...REALTIME_STATUSES, ...MAINTENANCE_STATUSES] as const, 'Status at this update'),
    body: Type.String(),
    incident_id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    display_at: Timestamp,
    affected_components: Nullable(Type.Array(AffectedComponentSchema, { minItems: 1 })),
    deliver_notifications: Type.Boolean(),
    custom_tweet: Nullable(Type.String()),
    tweet_id: Nullable(Type.String()),
  },
  { ...closed, title: 'IncidentUpdate' },
);

/** Members that every form of an incident has, in order. */
export const incidentMembers = {
  id: Id,
  name: Type.String({ minLength: 1, maxLength: 255 }),
  status: OneOf(REALTIME_STATUSES, 'Status of an incident'),
  created_at: Timestamp,
  updated_at: Timestamp,
  monitoring_at: Nullable(Timestamp),
  resolved_at: Nullable(Timestamp),
  impact: OneOf(IMPACTS, 'Worst impact so far, or the override'),
  shortlink: Type.String(),
  started_at: Timestamp,
  page_id: Id,
  incident_updates: Type.Array(IncidentUpdateSchema, { description: 'Newest first' }),
  components: Type.Array(ComponentSchema, { description: 'Attached components as they are now' }),
};

const IncidentSchema = Type.Object(
  { ...incidentMembers, reminder_intervals: Nullable(Type.String()) },
  { ...closed, title: 'Incident' },
);

/** As an incident, without `reminder_intervals` and with its window. */
const MaintenanceSchema = Type.Object(
  {
    ...incidentMembers,
    status: OneOf(MAINTENANCE_STATUSES, 'Status of a maintenance'),
    scheduled_for: Timestamp,
    scheduled_until: Timestamp,
  },
  { ...closed, title: 'Maintenance' },
);

const components = Type.Array(ComponentSchema);
const incidents = Type.Array(IncidentSchema);
const maintenances = Type.Array(MaintenanceSchema);

/** @see contracts/seed.txt section 2.2, contracts/status.md section 2 */
export const SummarySchema = Type.Object(
  {
    page: PageSchema,
    components,
    incidents,
    scheduled_maintenances: maintenances,
    status: StatusSchema,
  },
  { ...closed, title: 'Summary' },
);

export const StatusDocumentSchema = Type.Object(
  { page: PageSchema, status: StatusSchema },
  { ...closed, title: 'StatusDocument' },
);
export const ComponentsDocumentSchema = Type.Object(
  { page: PageSchema, components },
  { ...closed, title: 'ComponentsDocument' },
);
export const IncidentsDocumentSchema = Type.Object(
  { page: PageSchema, incidents },
  { ...closed, title: 'IncidentsDocument' },
);
export const MaintenancesDocumentSchema = Type.Object(
  { page: PageSchema, scheduled_maintenances: maintenances },
  { ...closed, title: 'MaintenancesDocument' },
);

export const ComponentDocumentSchema = Type.Object(
  { page: PageSchema, component: ComponentSchema },
  { ...closed, title: 'ComponentDocument' },
);

/** An incident, or a maintenance in the form of one. */
export const IncidentDocumentSchema = Type.Object(
  { page: PageSchema, incident: Type.Union([IncidentSchema, MaintenanceSchema]) },
  { ...closed, title: 'IncidentDocument' },
);

const seconds = (description: string) => Type.Integer({ minimum: 0, description });

/** @see contracts/status.md section 9 */
export const UptimeDocumentSchema = Type.Object(
  {
    page: PageSchema,
    range_start: Timestamp,
    range_end: Timestamp,
    components: Type.Array(
      Type.Object(
        {
          id: Id,
          name: Type.String(),
          uptime_percentage: Type.Number({ description: 'Truncated to two decimals; 100: no outage at all' }),
          days: Type.Array(
            Type.Object(
              {
                date: Type.String({ format: 'date' }),
                status: Nullable(ComponentStatusText),
                major_outage: seconds('Seconds'),
                partial_outage: seconds('Seconds'),
                degraded_performance: seconds('Seconds'),
                under_maintenance: seconds('Seconds'),
              },
              closed,
            ),
            { description: 'Local days, oldest first; status null: the component did not exist' },
          ),
        },
        closed,
      ),
      { description: 'Without groups' },
    ),
  },
  { ...closed, title: 'UptimeDocument' },
);

export type UptimeDocument = Static<typeof UptimeDocumentSchema>;
export type ComponentDocument = Static<typeof ComponentSchema>;
export type IncidentUpdateDocument = Static<typeof IncidentUpdateSchema>;
export type IncidentDocument = Static<typeof IncidentSchema>;
export type MaintenanceDocument = Static<typeof MaintenanceSchema>;
export type SummaryDocument = Static<typeof SummarySchema>;
