import { StatusNotFoundError } from '../errors.ts';
import type { Incident, PageState, Postmortem } from '../model/page-state.ts';
import { enterStatus } from '../rules/incident-status.ts';
import { BODY_LIMIT, characters, type Input, readFlag, readText } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import type { EditContext } from './edit-context.ts';
import { findIncident, withIncident, withUpdate } from './edited-state.ts';

/** What an incident has before somebody writes a postmortem. */
export const NO_POSTMORTEM: Postmortem = {
  body: null,
  bodyUpdatedAt: null,
  publishedAt: null,
  ignored: false,
  notifiedSubscribers: false,
  notifiedTwitter: false,
};

/** @throws StatusNotFoundError when the incident or its postmortem does not exist. */
export function findPostmortem(state: PageState, id: string): Postmortem & { readonly body: string } {
  const { postmortem } = findIncident(state, id);
  if (postmortem.body === null) throw new StatusNotFoundError('path', id);
  return { ...postmortem, body: postmortem.body };
}

/**
 * Writes the text; visitors see it when it is published, also a new text of a published one.
 *
 * @throws StatusNotFoundError, StatusValidationError
 * @see contracts/status.md section 4, Endpoints served
 */
export function writePostmortem(state: PageState, id: string, input: Input, context: EditContext): PageState {
  const incident = findIncident(state, id);
  const problems = new ProblemList();
  const body = readText(input, 'body_draft', problems);
  if (incident.kind !== 'realtime') problems.add('statusNotMaintenance');
  if ((input['body_draft'] ?? '') === '') problems.addText("Body draft can't be blank");
  if (characters(body ?? '') > BODY_LIMIT) problems.add('bodyTooLong');
  problems.throwIfAny();
  if (body === incident.postmortem.body) return state;
  const postmortem = { ...incident.postmortem, body, bodyUpdatedAt: context.now };
  return withIncident(state, { ...incident, postmortem });
}

/**
 * Shows the postmortem: the incident gets that status and an update with the text.
 *
 * @throws StatusNotFoundError; StatusValidationError when the incident is not resolved.
 * @see contracts/status.md section 3, Transitions
 */
export function publishPostmortem(
  state: PageState,
  id: string,
  input: Input,
  context: EditContext,
): PageState {
  const incident = findIncident(state, id);
  const { body } = findPostmortem(state, id);
  const problems = new ProblemList();
  const isTold = readFlag(input, 'notify_subscribers', true, problems);
  const isPublished = incident.status === 'postmortem';
  if (!isPublished && incident.status !== 'resolved') problems.addTransition(incident.status, 'postmortem');
  problems.throwIfAny();
  if (isPublished) return withIncident(state, withNewText(incident, body, context));
  const moved: Incident = {
    ...enterStatus(incident, 'postmortem', context.now),
    postmortem: { ...incident.postmortem, publishedAt: context.now, notifiedSubscribers: isTold },
  };
  const update = { body, affectedComponents: null, deliverNotifications: isTold };
  return withIncident(state, withUpdate(moved, update, context));
}

/** Takes the postmortem back; its text stays for the next time. @throws StatusNotFoundError */
export function revertPostmortem(state: PageState, id: string): PageState {
  findPostmortem(state, id);
  return withIncident(state, reverted(findIncident(state, id)));
}

/** Takes the postmortem back and forgets its text. @throws StatusNotFoundError */
export function deletePostmortem(state: PageState, id: string): PageState {
  findPostmortem(state, id);
  return withIncident(state, { ...reverted(findIncident(state, id)), postmortem: NO_POSTMORTEM });
}

function reverted(incident: Incident): Incident {
  if (incident.status !== 'postmortem') return incident;
  return {
    ...incident,
    status: 'resolved',
    postmortem: { ...incident.postmortem, publishedAt: null, notifiedSubscribers: false },
    updates: incident.updates.filter(({ status }) => status !== 'postmortem'),
  };
}

function withNewText(incident: Incident, body: string, { now }: EditContext): Incident {
  const updates = incident.updates.map((update) =>
    update.status === 'postmortem' && update.body !== body ? { ...update, body, updatedAt: now } : update,
  );
  return { ...incident, updates };
}
