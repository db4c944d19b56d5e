import { earliestWindowFirst, latestWindowFirst, newestIncidentsFirst } from '../model/page-order.ts';
import type { Component, Incident, PageState } from '../model/page-state.ts';
import { publicStatus } from '../rules/component-status.ts';
import { OPEN_STATUSES } from '../rules/incident-status.ts';
import { type OverallStatus, overallStatus, shownImpact } from '../rules/indicator.ts';
import { LISTED_INCIDENTS } from '../store/status-repository.ts';
import { describePage } from './describe-page.ts';

/** Path of a published document. */
export type DocumentPath = keyof ReturnType<typeof publicDocuments>;

/**
 * Assembles every public document from one state, so that they always agree.
 *
 * @param state as {@link StatusRepository.readPublished} gives it.
 * @see contracts/status.md section 2
 */
export function publicDocuments(state: PageState) {
  const { page, components, incident, maintenance } = describePage(state);
  const status = pageStatus(state);
  const { unresolved, planned } = summaryEntries(state);
  const realtime = newestIncidentsFirst(state.incidents.filter(isRealtime)).slice(0, LISTED_INCIDENTS);
  const maintenances = latestWindowFirst(state.incidents.filter(isMaintenance)).slice(0, LISTED_INCIDENTS);
  const upcoming = planned.filter((entry) => entry.status === 'scheduled');
  const active = planned.filter((entry) => entry.status !== 'scheduled');
  const listed = (entries: readonly Incident[]) => ({ scheduled_maintenances: entries.map(maintenance) });
  const incidents = unresolved.map(incident);
  return {
    '/api/v2/summary.json': { page, components, incidents, ...listed(planned), status },
    '/api/v2/status.json': { page, status },
    '/api/v2/components.json': { page, components },
    '/api/v2/incidents.json': { page, incidents: realtime.map(incident) },
    '/api/v2/incidents/unresolved.json': { page, incidents },
    '/api/v2/scheduled-maintenances.json': { page, ...listed(maintenances) },
    '/api/v2/scheduled-maintenances/upcoming.json': { page, ...listed(upcoming) },
    '/api/v2/scheduled-maintenances/active.json': { page, ...listed(active) },
  };
}

/** The overall state of the page. */
export function pageStatus(state: PageState): OverallStatus {
  const leaves = state.components.filter((component: Component) => !component.group).map(publicStatus);
  const { unresolved, planned } = summaryEntries(state);
  return overallStatus(leaves, {
    incidentImpacts: unresolved.map(shownImpact),
    hasRunningMaintenance: planned.some(({ status }) => status !== 'scheduled'),
  });
}

/** The incidents and maintenances of the summary, in its order. */
export function summaryEntries(state: PageState): {
  readonly unresolved: readonly Incident[];
  readonly planned: readonly Incident[];
} {
  const open = state.incidents.filter(({ status }) => OPEN_STATUSES.has(status));
  return {
    unresolved: newestIncidentsFirst(open.filter((entry) => isRealtime(entry) && !entry.backfilled)),
    planned: earliestWindowFirst(open.filter(isMaintenance)),
  };
}

function isRealtime(incident: Incident): boolean {
  return incident.kind === 'realtime';
}

function isMaintenance(incident: Incident): boolean {
  return incident.kind === 'maintenance';
}
