import type { Component, ComponentEvent, Incident, IncidentUpdate, Page } from './page-state.ts';

/** Who calls, and on which condition. */
export interface Caller {
  /** For log and audit: name of the token, or `command`. */
  readonly name: string;
  /** Refuse when the subject changed after this second, UTC milliseconds. Default null: no condition. */
  readonly unmodifiedSince?: number | null;
}

/** A committed change, for the log. */
export interface AppliedChange {
  /** For example `component.update`. */
  readonly call: string;
  /** Null for what the server does by itself. */
  readonly id: string | null;
  /** Name of the token, `command`, or what the server did it for. */
  readonly by: string;
  /** Names of the members of the subject that differ. */
  readonly changed: readonly string[];
  readonly revision: number;
}

/** What one call of an editor changed. `at` in UTC milliseconds. */
export interface AuditEntry {
  readonly at: number;
  /** Name of the token, or `command`. */
  readonly actor: string;
  /** For example `incident.update`. */
  readonly call: string;
  readonly subjectId: string;
  /** Members that differ, as they were; null when the subject did not exist. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The same members as they are now; null when the subject is gone. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** What subscribers are to be told about one update of an incident or one change of a component. */
export interface Notice {
  /** The same in every delivery. */
  readonly id: string;
  readonly kind: 'incident' | 'component';
  /** Id of the incident or component. */
  readonly subjectId: string;
  /** UTC milliseconds. */
  readonly at: number;
  /** The same instant as receivers see it, in the zone that the page had then. */
  readonly generatedAt: string;
  /** The body of the delivery without its member `meta`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A notice with its place in the order of all. */
export interface SequencedNotice extends Notice {
  readonly sequence: number;
}

/** Everything that a change writes; lists of new things are in order of insertion. */
export interface StatusChanges {
  readonly page: Page;
  readonly newComponents: readonly Component[];
  readonly changedComponents: readonly Component[];
  readonly deletedComponentIds: readonly string[];
  readonly events: readonly ComponentEvent[];
  readonly newIncidents: readonly Incident[];
  readonly changedIncidents: readonly Incident[];
  readonly deletedIncidentIds: readonly string[];
  /** Of new and of changed incidents. */
  readonly newUpdates: readonly OwnedUpdate[];
  readonly changedUpdates: readonly IncidentUpdate[];
  /** Of changed incidents; those of deleted ones go with them. */
  readonly deletedUpdateIds: readonly string[];
}

/** An update and the incident that it belongs to. */
export interface OwnedUpdate {
  readonly incidentId: string;
  readonly update: IncidentUpdate;
}
