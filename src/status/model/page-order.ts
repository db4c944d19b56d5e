import { type ComponentStatus, publicStatus, worstStatus } from '../rules/component-status.ts';
import type { Component, Incident, IncidentUpdate } from './page-state.ts';

/**
 * Components as every list shows them: position, then creation; ties stay in order of insertion.
 *
 * Positions count per parent, so children of different groups and groups mix.
 *
 * @see contracts/status.md section 2, What appears in summary
 */
export function inPageOrder(components: readonly Component[]): readonly Component[] {
  return [...components].sort((a, b) => a.position - b.position || a.createdAt - b.createdAt);
}

/** The components of a group, in page order. */
export function childrenOf(components: readonly Component[], groupId: string): readonly Component[] {
  return inPageOrder(components.filter((component) => component.groupId === groupId));
}

/** The position of a newcomer in a group, or at the top level for null: the last there and one more. */
export function nextPosition(components: readonly Component[], groupId: string | null): number {
  return Math.max(0, ...components.filter((c) => c.groupId === groupId).map((c) => c.position)) + 1;
}

/** The status that visitors see; a group shows its worst child, or operational without children. */
export function shownStatus(component: Component, components: readonly Component[]): ComponentStatus {
  if (!component.group) return publicStatus(component);
  return worstStatus(components.filter((child) => child.groupId === component.id).map(publicStatus));
}

/** `Group - Component`, as affected components are called. */
export function fullName(component: Component, components: readonly Component[]): string {
  const group = components.find(({ id }) => id === component.groupId);
  return group === undefined ? component.name : `${group.name} - ${component.name}`;
}

/** Newest first: by time shown, then creation, then the later insertion. */
export function newestUpdatesFirst(updates: readonly IncidentUpdate[]): readonly IncidentUpdate[] {
  return [...updates].reverse().sort((a, b) => b.displayAt - a.displayAt || b.createdAt - a.createdAt);
}

/** Newest first by creation, then the later insertion. */
export function newestIncidentsFirst(incidents: readonly Incident[]): readonly Incident[] {
  return [...incidents].reverse().sort((a, b) => b.createdAt - a.createdAt);
}

/** Earliest window first, then creation. */
export function earliestWindowFirst(maintenances: readonly Incident[]): readonly Incident[] {
  return [...maintenances].sort(
    (a, b) => (a.scheduledFor ?? 0) - (b.scheduledFor ?? 0) || a.createdAt - b.createdAt,
  );
}

/** Latest window first, then the later insertion. */
export function latestWindowFirst(maintenances: readonly Incident[]): readonly Incident[] {
  return [...maintenances].reverse().sort((a, b) => (b.scheduledFor ?? 0) - (a.scheduledFor ?? 0));
}
