import { insertText, prepareSelect, type Sql, type SqlDialect, setText } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { StatusChangeAt } from '../model/page-state.ts';
import type { PastEntry } from './status-repository.ts';
import {
  COMPONENT,
  INCIDENT,
  OWNED_UPDATE,
  PAGE,
  SEQUENCED_INCIDENT,
  STORED_PAGE,
} from './status-rows.sql.ts';

/** Which component is attached to which incident. */
interface Attachment {
  readonly incidentId: string;
  readonly componentId: string;
}

/** The same list of states as the partial index `status_incident_open`, or SQLite will not use it. */
const OPEN =
  "status IN ('investigating', 'identified', 'monitoring', 'scheduled', 'in_progress', 'verifying')";

/** When an entry began, as `beganAt` of `page/incident-view.ts` says; null for maintenances that are not over. */
const began = ({ least }: SqlDialect) =>
  `CASE WHEN kind = 'realtime' THEN started_at
        WHEN status = 'completed' THEN ${least('scheduled_for', 'coalesce(resolved_at, scheduled_for)')} END`;

const updateText = (table: string, columns: readonly string[]) =>
  `UPDATE ${table} SET ${setText(columns)} WHERE id = @id`;

/** Every statement of the status repository, prepared once per connection. */
export function prepareStatusStatements(sql: Sql) {
  const { eachText } = sql.dialect;
  const BEGAN = began(sql.dialect);
  const prepare = <Row = unknown>(text: string) => sql.prepare<unknown[], Row>(text);
  const incidents = (where: string) =>
    prepareSelect(sql, SEQUENCED_INCIDENT, `FROM status_incident ${where}`);
  return {
    page: prepareSelect(sql, STORED_PAGE, 'FROM status_page'),
    revision: sql.prepareValue('SELECT revision FROM status_page'),
    insertPage: prepare(`${insertText('status_page', STORED_PAGE.columns)} ON CONFLICT DO NOTHING`),
    updatePage: prepare(updateText('status_page', PAGE.columns)),
    reconfigurePage: prepare(updateText('status_page', STORED_PAGE.columns)),

    components: prepareSelect(sql, COMPONENT, 'FROM status_component ORDER BY seq'),
    hasComponent: prepare('SELECT 1 FROM status_component WHERE id = ?'),
    insertComponent: prepare(insertText('status_component', COMPONENT.columns)),
    updateComponent: prepare(updateText('status_component', COMPONENT.columns)),
    deleteComponent: prepare('DELETE FROM status_component WHERE id = ?'),
    insertEvent: prepare(
      `INSERT INTO status_component_event (component_id, from_status, to_status, layer, cause, at)
       VALUES (@componentId, @from, @to, @layer, @cause, @at)`,
    ),

    events: prepare<StatusChangeAt>(
      `SELECT component_id AS componentId, to_status AS "to", at FROM status_component_event AS event
       WHERE at >= (SELECT coalesce(max(at), 0) FROM status_component_event AS earlier
                    WHERE earlier.component_id = event.component_id AND earlier.at <= ?)
       ORDER BY component_id, at, seq`,
    ),
    relatedIncidents: sql.prepareValue<unknown[], string>(
      `SELECT id FROM status_incident
       WHERE id IN (SELECT incident_id FROM status_incident_component
                    WHERE component_id IN (SELECT value FROM ${eachText('related')}))
         AND started_at < ? AND coalesce(resolved_at, 9e15) >= ?
       ORDER BY created_at, seq`,
    ),

    openIncidents: incidents(`WHERE ${OPEN} ORDER BY seq`),
    incident: incidents(`WHERE id = ?`),
    newestIncidents: incidents(`WHERE kind = 'realtime' ORDER BY created_at DESC, seq DESC LIMIT ?`),
    latestMaintenances: incidents(`WHERE kind = 'maintenance' ORDER BY scheduled_for DESC, seq DESC LIMIT ?`),
    past: incidents(`WHERE ${BEGAN} >= ? AND ${BEGAN} < ? ORDER BY ${BEGAN} DESC, seq DESC LIMIT ?`),
    pastEntries: prepare<PastEntry>(
      `SELECT id, kind, name, status, peak_impact AS peakImpact, impact_override AS impactOverride, started_at AS startedAt,
         resolved_at AS resolvedAt, scheduled_for AS scheduledFor, scheduled_until AS scheduledUntil
       FROM status_incident WHERE ${BEGAN} >= ? AND ${BEGAN} < ? ORDER BY ${BEGAN} DESC, seq DESC`,
    ),
    firstBegan: sql.prepareValue(`SELECT min(${BEGAN}) FROM status_incident`),
    history: incidents(`ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`),
    historyTexts: prepare<{ readonly id: string; readonly text: string }>(
      `SELECT id, concat_ws('\n', name, status, postmortem_body,
                (SELECT string_agg(body, '\n') FROM status_incident_update WHERE incident_id = i.id)) AS text
       FROM status_incident AS i ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
    ),
    insertIncident: prepare(insertText('status_incident', INCIDENT.columns)),
    updateIncident: prepare(updateText('status_incident', INCIDENT.columns)),
    deleteIncident: prepare('DELETE FROM status_incident WHERE id = ?'),

    attached: prepare<Attachment>(
      `SELECT incident_id AS incidentId, component_id AS componentId FROM status_incident_component
       WHERE incident_id IN (SELECT value FROM ${eachText('asked')}) ORDER BY component_id`,
    ),
    attach: prepare('INSERT INTO status_incident_component (incident_id, component_id) VALUES (?, ?)'),
    detachAll: prepare('DELETE FROM status_incident_component WHERE incident_id = ?'),

    updates: prepareSelect(
      sql,
      OWNED_UPDATE,
      `FROM status_incident_update
       WHERE incident_id IN (SELECT value FROM ${eachText('asked')}) ORDER BY seq`,
    ),
    insertUpdate: prepare(insertText('status_incident_update', OWNED_UPDATE.columns)),
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
  const page = sql.prepare(`SELECT ${STORED_PAGE.select} FROM status_page ${forUpdate}`);
  return function* () {
    const row = yield* page.get();
    return row === undefined ? null : JSON.stringify(row);
  };
}
