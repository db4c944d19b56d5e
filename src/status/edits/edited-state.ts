import { StatusNotFoundError } from '../errors.ts';
import type { Component, Incident, IncidentUpdate, PageState } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { EditContext } from './edit-context.ts';

/** @throws StatusNotFoundError when there is neither a component nor a group with this id. */
export function findComponent(state: PageState, id: string): Component {
  const component = state.components.find((candidate) => candidate.id === id);
  if (component === undefined) throw new StatusNotFoundError('component', id);
  return component;
}

/** The state with one component replaced. */
export function withComponent(state: PageState, changed: Component): PageState {
  const components = state.components.map((component) => (component.id === changed.id ? changed : component));
  return { ...state, components };
}

/** The state without a component, also in the lists of the incidents. */
export function withoutComponent(state: PageState, id: string): PageState {
  return {
    ...state,
    components: state.components.filter((component) => component.id !== id),
    incidents: state.incidents.map((incident) =>
      incident.componentIds.includes(id)
        ? { ...incident, componentIds: incident.componentIds.filter((attached) => attached !== id) }
        : incident,
    ),
  };
}

/** Sets the manual layer of some leaf components. */
export function withManualStatuses(
  state: PageState,
  statuses: ReadonlyMap<string, ComponentStatus>,
): PageState {
  const components = state.components.map((component) => {
    const manualStatus = statuses.get(component.id);
    return manualStatus === undefined ? component : { ...component, manualStatus };
  });
  return { ...state, components };
}

/** A component with the defaults of the contract, still without name and place. */
export function blankComponent(context: EditContext): Component {
  return {
    id: context.newId(),
    name: '',
    description: null,
    group: false,
    groupId: null,
    position: 1,
    manualStatus: 'operational',
    monitorStatus: 'operational',
    showcase: true,
    onlyShowIfDegraded: false,
    startDate: null,
    probe: null,
    createdAt: context.now,
    updatedAt: context.now,
  };
}

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
