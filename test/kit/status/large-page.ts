import type { StatusChanges } from '../../../src/status/model/changes.ts';
import type { Component, ComponentEvent, Incident, Page } from '../../../src/status/model/page-state.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../../src/status/rules/component-status.ts';
import type { StatusRepository } from '../../../src/status/store/status-repository.ts';

/** How much {@link fillLargePage} writes. */
export interface PageSize {
  readonly components: number;
  /** How often the status of each component changed in the last ninety days, evenly spread. */
  readonly changes: number;
  readonly incidents: number;
  /** Days over which the incidents began, evenly spread. */
  readonly incidentDays: number;
}

const DAY_MS = 86_400_000;

/** Writes components, their changes and resolved incidents as one change, since a call for each would take minutes. */
export async function fillLargePage(
  repository: Pick<StatusRepository, 'change'>,
  size: PageSize,
  now: number,
): Promise<void> {
  await repository.change(null, ({ page }) => ({ changes: largeChange(page, size, now), result: null }));
}

function largeChange(page: Page, size: PageSize, now: number): StatusChanges {
  const { components, changes, incidents, incidentDays } = size;
  const firstDay = now - 90 * DAY_MS;
  const eventsOf = (index: number) => [
    eventOf(index, 'operational', now - 100 * DAY_MS),
    ...listOf(changes, (change) =>
      eventOf(
        index,
        COMPONENT_STATUSES[(change + index) % COMPONENT_STATUSES.length] ?? 'operational',
        Math.floor(firstDay + (change * 90 * DAY_MS) / changes),
      ),
    ),
  ];
  const newIncidents = listOf(incidents, (index) =>
    incidentOf(index, Math.floor(now - (incidentDays * DAY_MS * (incidents - index)) / incidents)),
  );
  return {
    page: { ...page, revision: page.revision + 1 },
    newComponents: listOf(components, componentOf),
    changedComponents: [],
    deletedComponentIds: [],
    events: listOf(components, eventsOf).flat(),
    newIncidents,
    changedIncidents: [],
    deletedIncidentIds: [],
    newUpdates: newIncidents.map(({ id, createdAt: at }, index) => ({
      incidentId: id,
      update: {
        id: idOf('p', index),
        status: 'resolved',
        body: 'It is **over**.',
        createdAt: at,
        updatedAt: at,
        displayAt: at,
        affectedComponents: null,
        deliverNotifications: true,
      },
    })),
    changedUpdates: [],
    deletedUpdateIds: [],
  };
}

function componentOf(index: number): Component {
  return {
    id: idOf('c', index),
    name: `Component ${index}`,
    description: 'What it is for',
    group: false,
    groupId: null,
    position: index + 1,
    manualStatus: 'operational',
    monitorStatus: 'operational',
    showcase: true,
    onlyShowIfDegraded: false,
    startDate: null,
    probe: null,
    createdAt: 0,
    updatedAt: 0,
  };
}

function eventOf(index: number, to: ComponentStatus, at: number): ComponentEvent {
  return { componentId: idOf('c', index), from: null, to, layer: 'manual', cause: 'component', at };
}

function incidentOf(index: number, at: number): Incident {
  return {
    id: idOf('n', index),
    kind: 'realtime',
    name: `Incident ${index}`,
    status: 'resolved',
    peakImpact: 'minor',
    impactOverride: null,
    backfilled: false,
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    monitoringAt: null,
    resolvedAt: at,
    scheduledFor: null,
    scheduledUntil: null,
    remindedAt: null,
    flags: {
      remindPrior: false,
      autoInProgress: false,
      autoCompleted: false,
      toMaintenanceState: false,
      toOperationalState: false,
      notifyAtStart: false,
      notifyAtEnd: false,
    },
    metadata: {},
    reminderIntervals: null,
    postmortem: {
      body: null,
      bodyUpdatedAt: null,
      publishedAt: null,
      ignored: false,
      notifiedSubscribers: false,
      notifiedTwitter: false,
    },
    componentIds: [],
    updates: [],
  };
}

function idOf(kind: string, index: number): string {
  return `${kind}${String(index).padStart(11, '0')}`;
}

function listOf<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
