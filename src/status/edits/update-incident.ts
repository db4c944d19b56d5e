import { isDeepStrictEqual } from 'node:util';
import { newestUpdatesFirst } from '../model/page-order.ts';
import type { Incident, PageState } from '../model/page-state.ts';
import { defaultText } from '../rules/default-texts.ts';
import { canMove, enterStatus, type IncidentStatus, kindOfStatus } from '../rules/incident-status.ts';
import { highestImpact } from '../rules/indicator.ts';
import { type Input, isGiven, readBody, readFlag, readInstant, readName } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { withManualStatuses } from './component-state.ts';
import type { EditContext } from './edit-context.ts';
import {
  affectedComponents,
  attachedAfter,
  hasPublicChange,
  impactOfAttached,
  namesComponents,
  readComponentReferences,
  setStatuses,
} from './incident-components.ts';
import { hasWindowStart, readStoredMembers, readWindow } from './incident-members.ts';
import { findIncident, findUpdate, withIncident, withUpdate } from './incident-state.ts';
import { withMaintenanceEffects } from './maintenance-effects.ts';

/**
 * Changes the members that are given and, when there is news, adds an update.
 *
 * News are: another status, another public status of a component through this call, or a body that
 * differs from the newest update's. The same call again therefore changes nothing.
 *
 * @throws StatusNotFoundError, StatusValidationError
 * @see contracts/status.md section 4, Writing incidents
 */
export function updateIncident(state: PageState, id: string, input: Input, context: EditContext): PageState {
  const incident = findIncident(state, id);
  const problems = new ProblemList();
  const name = isGiven(input, 'name') ? readName(input, problems) : incident.name;
  const body = readBody(input, problems);
  const status = readStatus(input, incident, problems);
  const isMaintenance = incident.kind === 'maintenance';
  const window = isMaintenance ? readWindow(input, incident, problems) : incident;
  if (!isMaintenance && hasWindowStart(input)) problems.add('scheduledForNotAllowed');
  const references = readComponentReferences(input, state, problems);
  if (incident.backfilled && namesComponents(references)) problems.add('componentsOnBackfilled');
  const members = readStoredMembers(input, incident, problems);
  const deliverNotifications = readFlag(input, 'deliver_notifications', true, problems);
  problems.throwIfAny();

  const edited: Incident = {
    ...enterStatus(incident, status, context.now),
    ...members,
    name,
    scheduledFor: window.scheduledFor,
    scheduledUntil: window.scheduledUntil,
    componentIds: attachedAfter(incident.componentIds, references),
  };
  // What the call says about a component comes last, so it wins over the maintenance's own effect.
  const effects = withMaintenanceEffects(state, edited, incident.status);
  const after = withManualStatuses(effects, setStatuses(references));
  const affected = affectedComponents(state, after, edited.componentIds);
  const isNewBody = body !== '' && body !== newestUpdatesFirst(incident.updates)[0]?.body;
  const hasNews = status !== incident.status || hasPublicChange(affected) || isNewBody;
  const isListed = affected.length > 0 && (references.isGiven || hasPublicChange(affected));
  const update = {
    body: body === '' ? defaultText(context.texts, status) : body,
    affectedComponents: isListed ? affected : null,
    deliverNotifications,
  };
  const updated = hasNews ? withUpdate(edited, update, context) : edited;
  // A repeated call must not notice that a component got worse outside of the incident.
  if (isDeepStrictEqual(updated, incident)) return after;
  const impact = impactOfAttached(after, updated.componentIds);
  return withIncident(after, { ...updated, peakImpact: highestImpact([incident.peakImpact, impact]) });
}

/**
 * Corrects the text, the time shown or the delivery of one update.
 *
 * @throws StatusNotFoundError, StatusValidationError
 */
export function editIncidentUpdate(
  state: PageState,
  incidentId: string,
  updateId: string,
  input: Input,
  context: EditContext,
): PageState {
  const incident = findIncident(state, incidentId);
  const update = findUpdate(incident, updateId);
  const problems = new ProblemList();
  const body = readBody(input, problems);
  const displayAt = readInstant(input, 'display_at', update.displayAt, problems);
  const deliverNotifications = readFlag(
    input,
    'deliver_notifications',
    update.deliverNotifications,
    problems,
  );
  problems.throwIfAny();
  const edited = { ...update, body: body === '' ? update.body : body, displayAt, deliverNotifications };
  if (isDeepStrictEqual(edited, update)) return state;
  const updates = incident.updates.map((other) =>
    other.id === updateId ? { ...edited, updatedAt: context.now } : other,
  );
  return withIncident(state, { ...incident, updates });
}

function readStatus(input: Input, incident: Incident, problems: ProblemList): IncidentStatus {
  const given = input['status'] ?? null;
  if (given === null) return incident.status;
  const kind = kindOfStatus(given);
  if (kind === null) {
    problems.add('statusUnknown');
    return incident.status;
  }
  const status = given as IncidentStatus;
  if (kind !== incident.kind) {
    problems.add(incident.kind === 'realtime' ? 'statusNotRealtime' : 'statusNotMaintenance');
  } else if (!canMove(incident.status, status)) {
    problems.addTransition(incident.status, status);
  }
  return status;
}
