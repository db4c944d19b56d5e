import {
  managedComponent,
  managedGroup,
  managedIncident,
  managedPage,
  managedPostmortem,
  managedUpdate,
} from '../documents/managed-representation.ts';
import type {
  ManagedComponent,
  ManagedGroup,
  ManagedIncident,
  ManagedPage,
  ManagedPostmortem,
} from '../documents/managed-schemas.ts';
import type { IncidentUpdateDocument } from '../documents/schemas.ts';
import { findGroup } from '../edits/edit-group.ts';
import { findComponent, findIncident, findUpdate } from '../edits/edited-state.ts';
import type { PageState } from '../model/page-state.ts';

/** A kind of thing that calls of editors create, change or delete; ids are those of such a thing. */
export interface Subject<T> {
  readonly noun: 'page' | 'component' | 'group' | 'incident' | 'update' | 'postmortem';
  /** The incident that has to be read for it; null: none. */
  readonly incidentOf: (id: string) => string | null;
  /** What the events of components name when a call about it changes them. */
  readonly cause: (id: string) => string;
  /** False for what a change makes first: the postmortem of an incident. */
  readonly isThere: (state: PageState, id: string) => boolean;
  /** As the management API shows it. @throws StatusNotFoundError */
  readonly describe: (state: PageState, id: string) => T;
  /** UTC milliseconds. @throws StatusNotFoundError */
  readonly updatedAt: (state: PageState, id: string) => number;
}

const OF_THE_PAGE = {
  incidentOf: () => null,
  cause: () => 'component',
  isThere: () => true,
};
const OF_AN_INCIDENT = {
  incidentOf: (id: string) => id,
  cause: (id: string) => `incident:${id}`,
  isThere: () => true,
  updatedAt: (state: PageState, id: string) => findIncident(state, id).updatedAt,
};

export const PAGE: Subject<ManagedPage> = {
  ...OF_THE_PAGE,
  noun: 'page',
  describe: managedPage,
  updatedAt: ({ page }) => page.updatedAt,
};

export const COMPONENT: Subject<ManagedComponent> = {
  ...OF_THE_PAGE,
  noun: 'component',
  describe: managedComponent,
  updatedAt: (state, id) => findComponent(state, id).updatedAt,
};

export const GROUP: Subject<ManagedGroup> = {
  ...OF_THE_PAGE,
  noun: 'group',
  describe: managedGroup,
  updatedAt: (state, id) => findGroup(state, id).updatedAt,
};

/** An incident or a maintenance. */
export const INCIDENT: Subject<ManagedIncident> = {
  ...OF_AN_INCIDENT,
  noun: 'incident',
  describe: managedIncident,
};

/** Named by its incident. */
export const POSTMORTEM: Subject<ManagedPostmortem> = {
  ...OF_AN_INCIDENT,
  noun: 'postmortem',
  isThere: (state, id) => findIncident(state, id).postmortem.body !== null,
  describe: managedPostmortem,
};

/** The updates of one incident. */
export function updatesOf(incidentId: string): Subject<IncidentUpdateDocument> {
  return {
    ...OF_THE_PAGE,
    noun: 'update',
    incidentOf: () => incidentId,
    describe: (state, id) => managedUpdate(state, incidentId, id),
    updatedAt: (state, id) => findUpdate(findIncident(state, incidentId), id).updatedAt,
  };
}
