import { earliestWindowFirst } from '../model/page-order.ts';
import type { Incident, PageState } from '../model/page-state.ts';
import { enterStatus, type MaintenanceStatus } from '../rules/incident-status.ts';
import type { EditContext } from './edit-context.ts';
import { withIncident, withUpdate } from './edited-state.ts';
import { affectedComponents, hasPublicChange } from './incident-edits.ts';
import { withMaintenanceEffects } from './maintenance-effects.ts';

/** How long before its start a maintenance is announced again. */
const REMINDER_LEAD_MS = 60 * 60_000;

/**
 * Reminds of, starts and completes the maintenances that ask for it, earliest window first.
 *
 * After downtime one run may do several steps of the same maintenance.
 *
 * @see contracts/status.md section 5
 */
export function runMaintenanceSchedule(state: PageState, context: EditContext): PageState {
  const maintenances = earliestWindowFirst(state.incidents.filter(({ kind }) => kind === 'maintenance'));
  let next = state;
  for (const { id } of maintenances) {
    for (const step of [remind, start, complete]) {
      const maintenance = next.incidents.find((incident) => incident.id === id);
      if (maintenance !== undefined) next = step(next, maintenance, context);
    }
  }
  return next;
}

function remind(state: PageState, maintenance: Incident, context: EditContext): PageState {
  const { scheduledFor, status, flags, remindedAt } = maintenance;
  if (status !== 'scheduled' || !flags.remindPrior || remindedAt !== null || scheduledFor === null)
    return state;
  const due = scheduledFor - REMINDER_LEAD_MS;
  if (context.now < due || context.now >= scheduledFor) return state;
  const update = {
    body: context.texts.reminder,
    affectedComponents: null,
    deliverNotifications: true,
    displayAt: due,
  };
  return withIncident(state, withUpdate({ ...maintenance, remindedAt: context.now }, update, context));
}

function start(state: PageState, maintenance: Incident, context: EditContext): PageState {
  const { scheduledFor, status, flags } = maintenance;
  if (status !== 'scheduled' || !flags.autoInProgress || scheduledFor === null) return state;
  return context.now < scheduledFor ? state : move(state, maintenance, 'in_progress', scheduledFor, context);
}

function complete(state: PageState, maintenance: Incident, context: EditContext): PageState {
  const { scheduledUntil, status, flags } = maintenance;
  const isRunning = status === 'in_progress' || status === 'verifying';
  if (!isRunning || !flags.autoCompleted || scheduledUntil === null) return state;
  return context.now < scheduledUntil
    ? state
    : move(state, maintenance, 'completed', scheduledUntil, context);
}

/** The update shows the planned instant; what is written carries the instant of the run. */
function move(
  state: PageState,
  maintenance: Incident,
  status: MaintenanceStatus,
  displayAt: number,
  context: EditContext,
): PageState {
  const moved = enterStatus(maintenance, status, context.now);
  const after = withMaintenanceEffects(state, moved, maintenance.status);
  const affected = affectedComponents(state, after, moved.componentIds);
  const update = {
    body: context.texts[status],
    affectedComponents: hasPublicChange(affected) ? affected : null,
    deliverNotifications: true,
    displayAt,
  };
  return withIncident(after, withUpdate(moved, update, context));
}
