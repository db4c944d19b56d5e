import { isDeepStrictEqual } from 'node:util';
import type { StatusChanges } from '../model/changes.ts';
import type { Component, ComponentEvent, Incident, Page, PageState } from '../model/page-state.ts';
import { publicStatus } from '../rules/component-status.ts';

/** An edit with its consequences. */
interface SettledChange {
  /** The state with its `updatedAt` members moved. */
  readonly state: PageState;
  /** Null when nothing is different: then nothing is written and no timestamp moves. */
  readonly changes: StatusChanges | null;
}

/**
 * Compares the state before and after an edit: moves the timestamps of what really changed and lists
 * what is to be written.
 *
 * @param cause goes into the events of components.
 * @see contracts/status.md section 2, page.updated_at and component.updated_at
 */
export function settleChange(before: PageState, after: PageState, now: number, cause: string): SettledChange {
  if (isDeepStrictEqual(before, after)) return { state: before, changes: null };
  const oldComponents = byId(before.components);
  const oldIncidents = byId(before.incidents);
  const components = after.components.map((next) => settleComponent(oldComponents.get(next.id), next, now));
  const kept = new Set(components.map(({ id }) => id));
  const incidents = after.incidents.map((next) => settleIncident(oldIncidents.get(next.id), next, kept, now));
  const isChanged =
    <T extends { readonly id: string }>(old: ReadonlyMap<string, T>) =>
    (next: T) =>
      old.has(next.id) && !isDeepStrictEqual(old.get(next.id), next);
  const isNew =
    <T extends { readonly id: string }>(old: ReadonlyMap<string, T>) =>
    (next: T) =>
      !old.has(next.id);

  const isVisible =
    !isDeepStrictEqual(pageMembers(before.page), pageMembers(after.page)) ||
    !isDeepStrictEqual(before.components.map(visibleMembers), components.map(visibleMembers)) ||
    !isDeepStrictEqual(before.incidents, incidents);
  const page: Page = {
    ...after.page,
    updatedAt: isVisible ? now : before.page.updatedAt,
    revision: before.page.revision + 1,
  };
  const changedIncidents = incidents.filter(isChanged(oldIncidents));
  const newIncidents = incidents.filter(isNew(oldIncidents));
  const updates = changedIncidents.concat(newIncidents).flatMap(({ id, updates: list }) => {
    const old = byId(oldIncidents.get(id)?.updates ?? []);
    return list.map((update) => ({ incidentId: id, update, old: old.get(update.id) }));
  });
  const changes: StatusChanges = {
    page,
    newComponents: components.filter(isNew(oldComponents)),
    changedComponents: components.filter(isChanged(oldComponents)),
    deletedComponentIds: before.components.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    events: components.flatMap((next) => eventOf(oldComponents.get(next.id), next, now, cause)),
    newIncidents,
    changedIncidents,
    deletedIncidentIds: missingIds(before.incidents, incidents),
    newUpdates: updates.filter(({ old }) => old === undefined),
    changedUpdates: updates
      .filter(({ old, update }) => old !== undefined && !isDeepStrictEqual(old, update))
      .map(({ update }) => update),
    deletedUpdateIds: changedIncidents.flatMap((next) =>
      missingIds(oldIncidents.get(next.id)?.updates ?? [], next.updates),
    ),
  };
  return { state: { page, components, incidents }, changes };
}

function settleComponent(before: Component | undefined, next: Component, now: number): Component {
  if (before === undefined || isDeepStrictEqual(visibleMembers(before), visibleMembers(next))) return next;
  return { ...next, updatedAt: now };
}

/** Losing a component because that was deleted is no edit of the incident. */
function settleIncident(
  before: Incident | undefined,
  next: Incident,
  kept: ReadonlySet<string>,
  now: number,
): Incident {
  if (before === undefined) return next;
  const remaining = { ...before, componentIds: before.componentIds.filter((id) => kept.has(id)) };
  return isDeepStrictEqual(remaining, next) ? next : { ...next, updatedAt: now };
}

/** What visitors can see of a component itself; a group's status belongs to its children. */
function visibleMembers(component: Component) {
  const { manualStatus, monitorStatus, probe: _, createdAt: __, updatedAt: ___, ...members } = component;
  return { ...members, status: publicStatus({ manualStatus, monitorStatus }) };
}

function pageMembers(page: Page): Omit<Page, 'updatedAt' | 'revision'> {
  const { updatedAt: _, revision: __, ...members } = page;
  return members;
}

function eventOf(
  before: Component | undefined,
  next: Component,
  at: number,
  cause: string,
): readonly ComponentEvent[] {
  if (next.group) return [];
  const from = before === undefined ? null : publicStatus(before);
  const to = publicStatus(next);
  if (from === to) return [];
  const isByHand = before === undefined || before.manualStatus !== next.manualStatus;
  return [{ componentId: next.id, from, to, layer: isByHand ? 'manual' : 'monitor', cause, at }];
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function missingIds(before: readonly { readonly id: string }[], after: readonly { readonly id: string }[]) {
  const kept = new Set(after.map(({ id }) => id));
  return before.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
}
