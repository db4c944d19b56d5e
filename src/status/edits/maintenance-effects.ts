import type { Component, Incident, PageState } from '../model/page-state.ts';
import { type ComponentStatus, publicStatus, severity } from '../rules/component-status.ts';
import type { IncidentStatus } from '../rules/incident-status.ts';
import { withManualStatuses } from './edited-state.ts';

/**
 * What a maintenance does to its components when it starts or completes, by hand or by itself.
 *
 * @param maintenance as it is after the transition.
 * @see contracts/status.md section 5, Component effect
 */
export function withMaintenanceEffects(
  state: PageState,
  maintenance: Incident,
  from: IncidentStatus,
): PageState {
  const isStart = from === 'scheduled' && maintenance.status === 'in_progress';
  if (isStart && maintenance.flags.toMaintenanceState) {
    // An outage stays visible during the work.
    const isMild = (component: Component) => severity(publicStatus(component)) < severity('partial_outage');
    return withStatus(state, maintenance, isMild, 'under_maintenance');
  }
  const isCompletion = from !== 'completed' && maintenance.status === 'completed';
  if (isCompletion && maintenance.flags.toOperationalState) {
    const isReleased = (component: Component) =>
      component.manualStatus === 'under_maintenance' && !isHeld(state, component.id, maintenance.id);
    return withStatus(state, maintenance, isReleased, 'operational');
  }
  return state;
}

function withStatus(
  state: PageState,
  maintenance: Incident,
  isMeant: (component: Component) => boolean,
  status: ComponentStatus,
): PageState {
  const attached = state.components.filter(({ id }) => maintenance.componentIds.includes(id));
  return withManualStatuses(state, new Map(attached.filter(isMeant).map(({ id }) => [id, status])));
}

/** Whether another running maintenance keeps the component under maintenance; verifying still runs. */
function isHeld(state: PageState, componentId: string, exceptId: string): boolean {
  return state.incidents.some(
    (other) =>
      other.id !== exceptId &&
      (other.status === 'in_progress' || other.status === 'verifying') &&
      other.flags.toMaintenanceState &&
      other.componentIds.includes(componentId),
  );
}
