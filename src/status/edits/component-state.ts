import { StatusNotFoundError } from '../errors.ts';
import type { Component, PageState } from '../model/page-state.ts';
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
