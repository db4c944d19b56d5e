import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { COMPONENT_STATUSES } from '../rules/component-status.ts';

/** How much {@link fillLargePage} writes. */
export interface PageSize {
  readonly components: number;
  /** How often the status of each component changed in the last ninety days, evenly spread. */
  readonly changes: number;
  readonly incidents: number;
  /** Days over which the incidents began, evenly spread. */
  readonly incidentDays: number;
}

const DAY_MS = 86_400_000;

/** Writes components, their changes and resolved incidents straight into the tables, since calls would take minutes. */
export function fillLargePage(database: SqliteDatabase, size: PageSize, now: number): void {
  const { components, changes, incidents, incidentDays } = size;
  const times = (count: number, run: (index: number) => void) => {
    for (let index = 0; index < count; index += 1) run(index);
  };
  const component = database.prepare(
    `INSERT INTO status_component (id, name, description, is_group, position, manual_status, monitor_status, showcase,
       only_show_if_degraded, created_at, updated_at)
     VALUES (?, ?, 'What it is for', 0, ?, 'operational', 'operational', 1, 0, 0, 0)`,
  );
  const event = database.prepare(
    `INSERT INTO status_component_event (component_id, from_status, to_status, layer, cause, at)
     VALUES (?, NULL, ?, 'manual', 'component', ?)`,
  );
  const incident = database.prepare(
    `INSERT INTO status_incident (id, kind, name, status, peak_impact, backfilled, created_at, updated_at, started_at,
       resolved_at, scheduled_remind_prior, scheduled_auto_in_progress, scheduled_auto_completed,
       auto_transition_to_maintenance_state, auto_transition_to_operational_state,
       auto_transition_deliver_notifications_at_start, auto_transition_deliver_notifications_at_end, metadata)
     VALUES (@id, 'realtime', @name, 'resolved', 'minor', 0, @at, @at, @at, @at, 0, 0, 0, 0, 0, 0, 0, '{}')`,
  );
  const update = database.prepare(
    `INSERT INTO status_incident_update (id, incident_id, status, body, created_at, updated_at, display_at,
       deliver_notifications)
     VALUES (@id, @incident, 'resolved', 'It is **over**.', @at, @at, @at, 1)`,
  );
  const id = (kind: string, index: number) => `${kind}${String(index).padStart(11, '0')}`;
  database.transaction(() => {
    times(components, (index) => {
      component.run(id('c', index), `Component ${index}`, index + 1);
      event.run(id('c', index), 'operational', now - 100 * DAY_MS);
      times(changes, (change) => {
        const status = COMPONENT_STATUSES[(change + index) % COMPONENT_STATUSES.length];
        event.run(id('c', index), status, now - 90 * DAY_MS + (change * 90 * DAY_MS) / changes);
      });
    });
    times(incidents, (index) => {
      const at = Math.floor(now - (incidentDays * DAY_MS * (incidents - index)) / incidents);
      incident.run({ id: id('n', index), name: `Incident ${index}`, at });
      update.run({ id: id('p', index), incident: id('n', index), at });
    });
    database.prepare('UPDATE status_page SET revision = revision + 1').run();
  })();
}
