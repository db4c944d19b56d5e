import type { Incident, PageState } from '../model/page-state.ts';
import { defaultText } from '../rules/default-texts.ts';
import {
  enterStatus,
  type IncidentKind,
  type IncidentStatus,
  kindOfStatus,
} from '../rules/incident-status.ts';
import { type Input, readBody, readFlag, readInstant, readName } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { withManualStatuses } from './component-state.ts';
import type { EditContext } from './edit-context.ts';
import { NO_POSTMORTEM } from './edit-postmortem.ts';
import {
  affectedComponents,
  attachedAfter,
  impactOfAttached,
  namesComponents,
  readComponentReferences,
  setStatuses,
} from './incident-components.ts';
import {
  BLANK_MEMBERS,
  hasWindowStart,
  readStoredMembers,
  readWindow,
  type Window,
} from './incident-members.ts';
import { withUpdate } from './incident-state.ts';

const NO_WINDOW: Window = { scheduledFor: null, scheduledUntil: null };

/**
 * Opens a real-time incident or plans a maintenance, with its first update.
 *
 * It is a maintenance when its status says so or, without a status, when it has a window. A backfilled
 * incident is created as resolved at its date.
 *
 * @throws StatusValidationError naming everything that is wrong.
 * @see contracts/status.md section 4, Writing incidents
 */
export function createIncident(
  state: PageState,
  input: Input,
  context: EditContext,
): { readonly state: PageState; readonly id: string } {
  const problems = new ProblemList();
  const name = readName(input, problems);
  const body = readBody(input, problems);
  const backfilled = readFlag(input, 'backfilled', false, problems);
  const { kind, status } = readKind(input, backfilled, problems);
  const window = kind === 'maintenance' ? readWindow(input, NO_WINDOW, problems) : NO_WINDOW;
  if (kind === 'realtime' && hasWindowStart(input)) problems.add('scheduledForNotAllowed');
  const references = readComponentReferences(input, state, problems);
  if (backfilled && namesComponents(references)) problems.add('componentsOnBackfilled');
  const members = readStoredMembers(input, BLANK_MEMBERS, problems);
  const deliverNotifications = readFlag(input, 'deliver_notifications', true, problems);
  const at = backfilled ? readBackfillDate(input, context, problems) : context.now;
  problems.throwIfAny();

  const componentIds = attachedAfter([], references);
  const after = withManualStatuses(state, setStatuses(references));
  const blank: Incident = {
    ...members,
    ...window,
    id: context.newId(),
    kind,
    name,
    status: kind === 'maintenance' ? 'scheduled' : 'investigating',
    peakImpact: impactOfAttached(after, componentIds),
    backfilled,
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    monitoringAt: null,
    resolvedAt: null,
    remindedAt: null,
    postmortem: NO_POSTMORTEM,
    componentIds,
    updates: [],
  };
  const affected = componentIds.length > 0 ? affectedComponents(state, after, componentIds) : null;
  const incident = withUpdate(
    enterStatus(blank, status, at),
    {
      body: body === '' ? defaultText(context.texts, status) : body,
      affectedComponents: affected,
      deliverNotifications,
      createdAt: at,
    },
    context,
  );
  return { state: { ...after, incidents: [...after.incidents, incident] }, id: incident.id };
}

function readKind(
  input: Input,
  backfilled: boolean,
  problems: ProblemList,
): { readonly kind: IncidentKind; readonly status: IncidentStatus } {
  const given = input['status'] ?? null;
  const kind = backfilled
    ? 'realtime'
    : (kindOfStatus(given) ?? (hasWindowStart(input) ? 'maintenance' : 'realtime'));
  const initial = backfilled ? 'resolved' : kind === 'maintenance' ? 'scheduled' : 'investigating';
  if (given === null) return { kind, status: initial };
  const givenKind = kindOfStatus(given);
  if (givenKind === null) problems.add('statusUnknown');
  // A postmortem is published later, it cannot be the beginning.
  else if (givenKind !== kind || given === 'postmortem') problems.add('statusNotRealtime');
  return { kind, status: backfilled || givenKind === null ? initial : (given as IncidentStatus) };
}

function readBackfillDate(input: Input, context: EditContext, problems: ProblemList): number {
  const at = readInstant(input, 'backfill_date', context.now, problems);
  // What is still to come cannot have been resolved, and would lead the feeds until then.
  if (at > context.now) problems.addUnreadable('backfill_date');
  return at;
}
