import type { PageState } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';

/**
 * Sets the monitor layer to smoothed results of probes; ids that are no leaf components are ignored,
 * since a component may be deleted while its probe runs.
 *
 * @see contracts/status.md section 7
 */
export function setMonitorStatuses(
  state: PageState,
  statuses: ReadonlyMap<string, ComponentStatus>,
): PageState {
  const components = state.components.map((component) => {
    const monitorStatus = component.group ? undefined : statuses.get(component.id);
    return monitorStatus === undefined ? component : { ...component, monitorStatus };
  });
  return { ...state, components };
}

/** Ids of the leaf components that probes are bound to, with the states found; probes without one are left out. */
export function byComponent(
  state: PageState,
  byProbe: ReadonlyMap<string, ComponentStatus>,
): ReadonlyMap<string, ComponentStatus> {
  const found = new Map<string, ComponentStatus>();
  for (const { id, probe } of state.components) {
    const status = probe === null ? undefined : byProbe.get(probe);
    if (status !== undefined) found.set(id, status);
  }
  return found;
}

/** What is no longer measured counts as working: nobody can say otherwise. */
export function forgetUnbound(state: PageState, probes: ReadonlySet<string>): PageState {
  const components = state.components.map((component) =>
    component.probe === null || probes.has(component.probe)
      ? component
      : { ...component, monitorStatus: 'operational' as const },
  );
  return { ...state, components };
}

/** Names the components that probes are bound to; a probe without a component is passed over. */
export function nameProbed(state: PageState, names: ReadonlyMap<string, string>): PageState {
  const isNamed = state.components.some(
    ({ name, probe }) => probe !== null && (names.get(probe) ?? name) !== name,
  );
  if (!isNamed) return state;
  const components = state.components.map((component) => {
    const name = component.probe === null ? undefined : names.get(component.probe);
    return name === undefined ? component : { ...component, name };
  });
  return { ...state, components };
}
