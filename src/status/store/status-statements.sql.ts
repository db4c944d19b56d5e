import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlDialect } from '../../storage/sql/sql-dialect.ts';
import type { Work } from '../../values/work.ts';

const PAGE_COLUMNS = [
  'id',
  'name',
  'url',
  'time_zone',
  'page_description',
  'support_url',
  'hidden_from_search',
  'allow_rss_atom_feeds',
  'created_at',
  'updated_at',
  'revision',
] as const;

const COMPONENT_COLUMNS = [
  'id',
  'name',
  'description',
  'is_group',
  'group_id',
  'position',
  'manual_status',
  'monitor_status',
  'showcase',
  'only_show_if_degraded',
  'start_date',
  'probe',
  'created_at',
  'updated_at',
] as const;

const INCIDENT_COLUMNS = [
  'id',
  'kind',
  'name',
  'status',
  'peak_impact',
  'impact_override',
  'backfilled',
  'created_at',
  'updated_at',
  'started_at',
  'monitoring_at',
  'resolved_at',
  'scheduled_for',
  'scheduled_until',
  'scheduled_reminded_at',
  'scheduled_remind_prior',
  'scheduled_auto_in_progress',
  'scheduled_auto_completed',
  'auto_transition_to_maintenance_state',
  'auto_transition_to_operational_state',
  'auto_transition_deliver_notifications_at_start',
  'auto_transition_deliver_notifications_at_end',
  'metadata',
  'reminder_intervals',
  'postmortem_body',
  'postmortem_body_last_updated_at',
  'postmortem_published_at',
  'postmortem_ignored',
  'postmortem_notified_subscribers',
  'postmortem_notified_twitter',
] as const;

const UPDATE_COLUMNS = [
  'id',
  'incident_id',
  'status',
  'body',
  'created_at',
  'updated_at',
  'display_at',
  'affected_components',
  'deliver_notifications',
] as const;

/** The same list of states as the partial index `status_incident_open`, or SQLite will not use it. */
const OPEN =
  "status IN ('investigating', 'identified', 'monitoring', 'scheduled', 'in_progress', 'verifying')";

/** When an entry began, as `beganAt` of `page/incident-view.ts` says; null for maintenances that are not over. */
const began = ({ least }: SqlDialect) =>
  `CASE WHEN kind = 'realtime' THEN started_at
        WHEN status = 'completed' THEN ${least('scheduled_for', 'coalesce(resolved_at, scheduled_for)')} END`;

const insert = (table: string, columns: readonly string[]) =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`;

const update = (table: string, columns: readonly string[]) =>
  `UPDATE ${table} SET ${columns.map((column) => `${column} = @${column}`).join(', ')} WHERE id = @id`;

/** Every statement of the status repository, prepared once per connection. */
export function prepareStatusStatements(sql: Sql) {
  const { eachText } = sql.dialect;
  const BEGAN = began(sql.dialect);
  const prepare = (text: string) => sql.prepare<unknown[], unknown>(text);
  const incidents = `SELECT seq, ${INCIDENT_COLUMNS.join(', ')} FROM status_incident`;
  return {
    page: prepare(`SELECT ${PAGE_COLUMNS.join(', ')}, configured_url FROM status_page`),
    revision: prepare('SELECT revision FROM status_page').pluck(),
    insertPage: prepare(
      `${insert('status_page', [...PAGE_COLUMNS, 'configured_url'])} ON CONFLICT DO NOTHING`,
    ),
    updatePage: prepare(update('status_page', PAGE_COLUMNS)),
    reconfigurePage: prepare(update('status_page', [...PAGE_COLUMNS, 'configured_url'])),

    components: prepare(`SELECT ${COMPONENT_COLUMNS.join(', ')} FROM status_component ORDER BY seq`),
    hasComponent: prepare('SELECT 1 FROM status_component WHERE id = ?'),
    insertComponent: prepare(insert('status_component', COMPONENT_COLUMNS)),
    updateComponent: prepare(update('status_component', COMPONENT_COLUMNS)),
    deleteComponent: prepare('DELETE FROM status_component WHERE id = ?'),
    insertEvent: prepare(
      `INSERT INTO status_component_event (component_id, from_status, to_status, layer, cause, at)
       VALUES (@componentId, @from, @to, @layer, @cause, @at)`,
    ),

    events: prepare(
      `SELECT component_id AS componentId, to_status AS "to", at FROM status_component_event AS event
       WHERE at >= (SELECT coalesce(max(at), 0) FROM status_component_event AS earlier
                    WHERE earlier.component_id = event.component_id AND earlier.at <= ?)
       ORDER BY component_id, at, seq`,
    ),
    relatedIncidents: prepare(
      `SELECT id FROM status_incident
       WHERE id IN (SELECT incident_id FROM status_incident_component
                    WHERE component_id IN (SELECT value FROM ${eachText('related')}))
         AND started_at < ? AND coalesce(resolved_at, 9e15) >= ?
       ORDER BY created_at, seq`,
    ).pluck(),

    openIncidents: prepare(`${incidents} WHERE ${OPEN} ORDER BY seq`),
    incident: prepare(`${incidents} WHERE id = ?`),
    newestIncidents: prepare(
      `${incidents} WHERE kind = 'realtime' ORDER BY created_at DESC, seq DESC LIMIT ?`,
    ),
    latestMaintenances: prepare(
      `${incidents} WHERE kind = 'maintenance' ORDER BY scheduled_for DESC, seq DESC LIMIT ?`,
    ),
    past: prepare(
      `${incidents} WHERE ${BEGAN} >= ? AND ${BEGAN} < ? ORDER BY ${BEGAN} DESC, seq DESC LIMIT ?`,
    ),
    pastEntries: prepare(
      `SELECT id, kind, name, status, peak_impact AS peakImpact, impact_override AS impactOverride, started_at AS startedAt,
         resolved_at AS resolvedAt, scheduled_for AS scheduledFor, scheduled_until AS scheduledUntil
       FROM status_incident WHERE ${BEGAN} >= ? AND ${BEGAN} < ? ORDER BY ${BEGAN} DESC, seq DESC`,
    ),
    firstBegan: prepare(`SELECT min(${BEGAN}) FROM status_incident`).pluck(),
    history: prepare(`${incidents} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`),
    historyTexts: prepare(
      `SELECT id, concat_ws('\n', name, status, postmortem_body,
                (SELECT string_agg(body, '\n') FROM status_incident_update WHERE incident_id = i.id)) AS text
       FROM status_incident AS i ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
    ),
    insertIncident: prepare(insert('status_incident', INCIDENT_COLUMNS)),
    updateIncident: prepare(update('status_incident', INCIDENT_COLUMNS)),
    deleteIncident: prepare('DELETE FROM status_incident WHERE id = ?'),

    attached: prepare(
      `SELECT incident_id, component_id FROM status_incident_component
       WHERE incident_id IN (SELECT value FROM ${eachText('asked')}) ORDER BY component_id`,
    ),
    attach: prepare('INSERT INTO status_incident_component (incident_id, component_id) VALUES (?, ?)'),
    detachAll: prepare('DELETE FROM status_incident_component WHERE incident_id = ?'),

    updates: prepare(
      `SELECT ${UPDATE_COLUMNS.join(', ')} FROM status_incident_update
       WHERE incident_id IN (SELECT value FROM ${eachText('asked')}) ORDER BY seq`,
    ),
    insertUpdate: prepare(insert('status_incident_update', UPDATE_COLUMNS)),
    deleteUpdate: prepare('DELETE FROM status_incident_update WHERE id = ?'),
    editUpdate: prepare(
      `UPDATE status_incident_update
       SET body = @body, display_at = @display_at, updated_at = @updated_at,
           deliver_notifications = @deliver_notifications
       WHERE id = @id`,
    ),
  };
}

/** Names a state of the page: every change gives it another one. Null: there is no page. */
export type PageToken = string | null;

/**
 * Reads the token: the whole row, since a changed address of the server need not have a number of its own.
 *
 * @param forUpdate keeps others from changing it until the transaction ends.
 */
export function preparePageToken(sql: Sql, forUpdate = ''): () => Work<PageToken> {
  const page = sql.prepare(`SELECT ${PAGE_COLUMNS.join(', ')}, configured_url FROM status_page ${forUpdate}`);
  return function* () {
    const row = yield* page.get();
    return row === undefined ? null : JSON.stringify(row);
  };
}
