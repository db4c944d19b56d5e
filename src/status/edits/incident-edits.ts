import { isDeepStrictEqual } from 'node:util';
import { fullName, inPageOrder, newestUpdatesFirst } from '../model/page-order.ts';
import type { AffectedComponent, Incident, PageState } from '../model/page-state.ts';
import { type ComponentStatus, isComponentStatus, publicStatus } from '../rules/component-status.ts';
import { defaultText } from '../rules/default-texts.ts';
import {
  canMove,
  enterStatus,
  type IncidentKind,
  type IncidentStatus,
  kindOfStatus,
} from '../rules/incident-status.ts';
import { type ComputedImpact, highestImpact, impactOfComponents } from '../rules/indicator.ts';
import {
  type Input,
  isGiven,
  isObject,
  readBody,
  readFlag,
  readInstant,
  readName,
} from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import type { EditContext } from './edit-context.ts';
import { NO_POSTMORTEM } from './edit-postmortem.ts';
import { findIncident, findUpdate, withIncident, withManualStatuses, withUpdate } from './edited-state.ts';
import {
  BLANK_MEMBERS,
  hasWindowStart,
  readStoredMembers,
  readWindow,
  type Window,
} from './incident-members.ts';
import { withMaintenanceEffects } from './maintenance-effects.ts';

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

/** What a call says about the components of an incident. */
type ComponentReferences = ReturnType<typeof readComponentReferences>;

/**
 * Reads `component_ids` (a list) and `components` (a list, or an object of id to status).
 *
 * @see contracts/status.md section 4, Writing incidents
 */
function readComponentReferences(input: Input, state: PageState, problems: ProblemList) {
  const ids = input['component_ids'] ?? null;
  const components = input['components'] ?? null;
  const list = ids ?? (Array.isArray(components) ? components : null);
  const map = components === null || Array.isArray(components) ? {} : components;
  const leaves = new Set(state.components.filter(({ group }) => !group).map(({ id }) => id));
  const isLeaf = (id: unknown): id is string => typeof id === 'string' && leaves.has(id);

  if (list !== null && !(Array.isArray(list) && list.every(isLeaf))) problems.add('componentsInvalid');
  if (!isObject(map)) problems.add('componentsInvalid');
  const statuses = new Map<string, ComponentStatus | null>();
  for (const [id, status] of Object.entries(isObject(map) ? map : {})) {
    if (!isLeaf(id)) problems.add('componentsInvalid');
    if (status === '' || status === null) statuses.set(id, null);
    else if (isComponentStatus(status)) statuses.set(id, status);
    else problems.add('componentStatusUnknown');
  }
  return {
    /** Whether the call had `components` or `component_ids` at all. */
    isGiven: ids !== null || components !== null,
    /** Replaces the attached set when not null; comes before `statuses`. */
    set: Array.isArray(list) ? list.filter(isLeaf) : null,
    /** Ids to attach when missing; their manual status, or null to leave it. */
    statuses,
  };
}

/** Whether a call names at least one component. */
function namesComponents(references: ComponentReferences): boolean {
  return (references.set?.length ?? 0) > 0 || references.statuses.size > 0;
}

/** The attached ids after a call: the set first, then whatever got a status. */
function attachedAfter(current: readonly string[], references: ComponentReferences): readonly string[] {
  return [...new Set([...(references.set ?? current), ...references.statuses.keys()])].sort();
}

/** The statuses that a call sets, without those that it only attaches. */
function setStatuses(references: ComponentReferences): ReadonlyMap<string, ComponentStatus> {
  const statuses = new Map<string, ComponentStatus>();
  for (const [id, status] of references.statuses) if (status !== null) statuses.set(id, status);
  return statuses;
}

/** The attached components in page order with their public status before and after. */
export function affectedComponents(
  before: PageState,
  after: PageState,
  componentIds: readonly string[],
): readonly AffectedComponent[] {
  const attached = after.components.filter(({ id }) => componentIds.includes(id));
  return inPageOrder(attached).map((component) => {
    const earlier = before.components.find(({ id }) => id === component.id) ?? component;
    return {
      code: component.id,
      name: fullName(component, after.components),
      old_status: publicStatus(earlier),
      new_status: publicStatus(component),
    };
  });
}

/** Whether any of them changed in the eyes of visitors. */
export function hasPublicChange(affected: readonly AffectedComponent[]): boolean {
  return affected.some(({ old_status, new_status }) => old_status !== new_status);
}

/** The impact that the attached components give as they are in `state`. */
function impactOfAttached(state: PageState, componentIds: readonly string[]): ComputedImpact {
  const attached = state.components.filter(({ id }) => componentIds.includes(id));
  return impactOfComponents(attached.map(publicStatus));
}
