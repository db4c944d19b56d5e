import type { PageState } from '../model.ts';
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
