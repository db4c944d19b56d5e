import type { Component, Incident, PageState } from '../model/page-state.ts';
import { publicStatus } from '../rules/component-status.ts';
import { OPEN_STATUSES } from '../rules/incident-status.ts';
import { isObject } from '../rules/input-members.ts';

/** How long an outage lasts before an incident is opened, and health before it is resolved. */
const OPEN_AFTER_MS = 120_000;
const RESOLVE_AFTER_MS = 300_000;

/** With the words after it the name of an incident may have 255 characters. */
const MAX_NAME_LENGTH = 240;

/** What marks an incident that the server opened. @see contracts/status.md section 7 */
const MARK = { ledgerlens: { auto: true } };

/**
 * Opens an incident for a measured component that has been out for two minutes and that no open incident is
 * about, and resolves it when the component has worked for five minutes.
 *
 * An incident that somebody has touched is left to people.
 *
 * @param lastEvents when the public status of each component last changed, UTC milliseconds.
 * @see contracts/status.md section 7
 */
export function autoIncidentCalls(state: PageState, lastEvents: ReadonlyMap<string, number>, now: number) {
  const open = state.incidents.filter(({ kind, status }) => kind === 'realtime' && OPEN_STATUSES.has(status));
  const isCovered = ({ id }: Component) => open.some(({ componentIds }) => componentIds.includes(id));
  const hasBeen = (component: Component, status: string, forMs: number) =>
    publicStatus(component) === status && now - (lastEvents.get(component.id) ?? now) >= forMs;
  const failing = state.components.filter(
    (component) =>
      component.probe !== null && !isCovered(component) && hasBeen(component, 'major_outage', OPEN_AFTER_MS),
  );
  const healed = open.filter(
    (incident) =>
      isUntouched(incident) &&
      state.components
        .filter(({ id }) => incident.componentIds.includes(id))
        .every((component) => hasBeen(component, 'operational', RESOLVE_AFTER_MS)),
  );
  return {
    /** Members of incidents to open. */
    open: failing.map(({ id, name }) => ({
      name: `${[...name].slice(0, MAX_NAME_LENGTH).join('')} is unavailable`,
      component_ids: [id],
      metadata: MARK,
    })),
    /** Ids of incidents to resolve. */
    resolve: healed.map(({ id }) => id),
  };
}

function isUntouched({ metadata, updates, createdAt, updatedAt }: Incident): boolean {
  const mark = metadata['ledgerlens'];
  return isObject(mark) && mark['auto'] === true && updates.length === 1 && updatedAt === createdAt;
}
