import { StatusConflictError } from '../errors.ts';
import {
  managedComponent,
  managedGroup,
  managedIncident,
  managedPage,
  managedPostmortem,
  managedUpdate,
} from '../managed-representation.ts';
import type { PageState } from '../model.ts';
import type { Input } from '../rules/input-members.ts';
import { findComponent } from './component-state.ts';
import { findGroup } from './edit-group.ts';
import { findIncident, findUpdate } from './incident-state.ts';

/** The one thing that a call of an editor creates, changes or deletes. */
export interface Subject {
  readonly noun: 'page' | 'component' | 'group' | 'incident' | 'update' | 'postmortem';
  readonly id: string;
  /** The incident of an update; empty for the others. */
  readonly incidentId?: string;
}

/** How editors see the subject; null for an incident without a postmortem. @throws StatusNotFoundError */
export function describeSubject(state: PageState, subject: Subject): Input | null {
  // Representations are plain data; the cast only forgets the names of their members.
  return representation(state, subject) as unknown as Input | null;
}

function representation(state: PageState, { noun, id, incidentId = '' }: Subject): object | null {
  switch (noun) {
    case 'page':
      return managedPage(state);
    case 'component':
      return managedComponent(state, id);
    case 'group':
      return managedGroup(state, id);
    case 'incident':
      return managedIncident(state, id);
    case 'update':
      return managedUpdate(state, incidentId, id);
    case 'postmortem':
      return findIncident(state, id).postmortem.body === null ? null : managedPostmortem(state, id);
  }
}

/**
 * Refuses to overwrite what is newer than the caller knows.
 *
 * @param since the latest second in which the subject may have changed, UTC milliseconds; null: no condition.
 * @throws StatusConflictError, StatusNotFoundError
 * @see contracts/status.md section 4, Errors, 409
 */
export function requireUnmodified(state: PageState, subject: Subject, since: number | null): void {
  if (since === null) return;
  // The header has whole seconds, so a change within its second cannot be told from one before.
  if (Math.floor(updatedAt(state, subject) / 1000) > Math.floor(since / 1000))
    throw new StatusConflictError();
}

function updatedAt(state: PageState, { noun, id, incidentId = '' }: Subject): number {
  switch (noun) {
    case 'page':
      return state.page.updatedAt;
    case 'component':
      return findComponent(state, id).updatedAt;
    case 'group':
      return findGroup(state, id).updatedAt;
    case 'incident':
    case 'postmortem':
      return findIncident(state, id).updatedAt;
    case 'update':
      return findUpdate(findIncident(state, incidentId), id).updatedAt;
  }
}
