import { flag, json, rowTable } from '../../values/row-table.ts';
import type { AuditEntry, Notice, OwnedUpdate, SequencedNotice } from '../model/changes.ts';
import {
  byFlag,
  type Component,
  FLAG_MEMBERS,
  type Incident,
  type IncidentUpdate,
  type Page,
} from '../model/page-state.ts';
import type { StoredPage } from './status-repository.ts';

/** The tables of the status page, one declaration each; instants are UTC milliseconds. */
export const PAGE = rowTable<Page>({
  id: 'id',
  name: 'name',
  url: 'url',
  timeZone: 'time_zone',
  description: 'page_description',
  supportUrl: 'support_url',
  hiddenFromSearch: flag('hidden_from_search'),
  allowFeeds: flag('allow_rss_atom_feeds'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  revision: 'revision',
});

export const STORED_PAGE = rowTable<StoredPage>({ page: PAGE, configuredUrl: 'configured_url' });

/** Statuses are trusted: only this area writes them. */
export const COMPONENT = rowTable<Component>({
  id: 'id',
  name: 'name',
  description: 'description',
  group: flag('is_group'),
  groupId: 'group_id',
  position: 'position',
  manualStatus: 'manual_status',
  monitorStatus: 'monitor_status',
  showcase: flag('showcase'),
  onlyShowIfDegraded: flag('only_show_if_degraded'),
  startDate: 'start_date',
  probe: 'probe',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** An incident without what has tables of its own. */
export type IncidentRow = Omit<Incident, 'componentIds' | 'updates'>;

export const INCIDENT = rowTable<IncidentRow>({
  id: 'id',
  kind: 'kind',
  name: 'name',
  status: 'status',
  peakImpact: 'peak_impact',
  impactOverride: 'impact_override',
  backfilled: flag('backfilled'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  startedAt: 'started_at',
  monitoringAt: 'monitoring_at',
  resolvedAt: 'resolved_at',
  scheduledFor: 'scheduled_for',
  scheduledUntil: 'scheduled_until',
  remindedAt: 'scheduled_reminded_at',
  flags: { members: byFlag((key) => flag(FLAG_MEMBERS[key])) },
  metadata: json('metadata'),
  reminderIntervals: 'reminder_intervals',
  postmortem: {
    members: {
      body: 'postmortem_body',
      bodyUpdatedAt: 'postmortem_body_last_updated_at',
      publishedAt: 'postmortem_published_at',
      ignored: flag('postmortem_ignored'),
      notifiedSubscribers: flag('postmortem_notified_subscribers'),
      notifiedTwitter: flag('postmortem_notified_twitter'),
    },
  },
});

/** An incident with its number in the order of insertion. */
export interface SequencedIncident {
  readonly seq: number;
  readonly incident: IncidentRow;
}

export const SEQUENCED_INCIDENT = rowTable<SequencedIncident>({ seq: 'seq', incident: INCIDENT });

export const UPDATE = rowTable<IncidentUpdate>({
  id: 'id',
  status: 'status',
  body: 'body',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  displayAt: 'display_at',
  affectedComponents: json('affected_components'),
  deliverNotifications: flag('deliver_notifications'),
});

export const OWNED_UPDATE = rowTable<OwnedUpdate>({ incidentId: 'incident_id', update: UPDATE });

export const NOTICE = rowTable<Notice>({
  id: 'id',
  kind: 'kind',
  subjectId: 'subject_id',
  at: 'at',
  generatedAt: 'generated_at',
  payload: json('payload'),
});

export const SEQUENCED_NOTICE = rowTable<SequencedNotice>({ sequence: 'seq', ...NOTICE.members });

export const AUDIT = rowTable<AuditEntry>({
  at: 'at',
  actor: 'actor',
  call: 'call',
  subjectId: 'subject_id',
  before: json('before'),
  after: json('after'),
});
