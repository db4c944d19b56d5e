import { StatusNotFoundError } from '../errors.ts';
import type { Incident, IncidentUpdate, PageState } from '../model/page-state.ts';
import type { EditContext } from './edit-context.ts';

/** @throws StatusNotFoundError when there is no incident or maintenance with this id. */
export function findIncident(state: PageState, id: string): Incident {
  const incident = state.incidents.find((candidate) => candidate.id === id);
  if (incident === undefined) throw new StatusNotFoundError('incident', id);
  return incident;
}

/** @throws StatusNotFoundError when the incident has no update with this id. */
export function findUpdate(incident: Incident, updateId: string): IncidentUpdate {
  const update = incident.updates.find(({ id }) => id === updateId);
  if (update === undefined) throw new StatusNotFoundError('update', updateId);
  return update;
}

/** The state with one incident replaced. */
export function withIncident(state: PageState, changed: Incident): PageState {
  const incidents = state.incidents.map((incident) => (incident.id === changed.id ? changed : incident));
  return { ...state, incidents };
}

/** The state without an incident; its components keep their status. */
export function withoutIncident(state: PageState, id: string): PageState {
  findIncident(state, id);
  return { ...state, incidents: state.incidents.filter((incident) => incident.id !== id) };
}

/** A new update of the incident's present status; shown at `displayAt`, by default now. */
export function withUpdate(
  incident: Incident,
  update: Pick<IncidentUpdate, 'body' | 'affectedComponents' | 'deliverNotifications'> & {
    readonly displayAt?: number;
    readonly createdAt?: number;
  },
  context: EditContext,
): Incident {
  const createdAt = update.createdAt ?? context.now;
  const added: IncidentUpdate = {
    id: context.newId(),
    status: incident.status,
    body: update.body,
    createdAt,
    updatedAt: createdAt,
    displayAt: update.displayAt ?? createdAt,
    affectedComponents: update.affectedComponents,
    deliverNotifications: update.deliverNotifications,
  };
  return { ...incident, updates: [...incident.updates, added] };
}
