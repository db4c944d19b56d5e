import type { StatusService } from '../../../src/status/service/create-status-service.ts';

/** Ids of what {@link createBusyStatusPage} made. */
export interface BusyStatusPage {
  readonly componentIds: readonly string[];
  readonly openIncidentId: string;
  readonly upcomingId: string;
  readonly runningId: string;
}

/** Past and future enough for every clock that tests use. */
const LONG_AGO = '2020-01-01T00:00:00Z';
const FAR_OFF = '2090-01-01T00:00:00Z';
const FAR_OFF_END = '2090-01-01T02:00:00Z';

/**
 * Makes the page that the specification's cases call `status-busy`, through the same calls as an editor.
 *
 * @see cases/seed, README, Fixtures
 */
export async function createBusyStatusPage(target: {
  readonly service: StatusService;
  prepare(): Promise<void>;
}): Promise<BusyStatusPage> {
  await target.prepare();
  const { service } = target;
  const first = await service.createComponent({ name: 'Verification API' });
  const second = await service.createComponent({ name: 'Mirror REST API' });
  const third = await service.createComponent({ name: 'Website' });

  const open = await service.createIncident({
    name: 'Open incident',
    body: 'Requests fail.',
    components: { [first.id]: 'partial_outage' },
  });
  await service.updateIncident(open.id, {
    status: 'identified',
    body: 'The cause is known.',
    components: { [first.id]: 'degraded_performance' },
  });
  const past = await service.createIncident({ name: 'Past incident', component_ids: [second.id] });
  await service.updateIncident(past.id, { status: 'resolved', body: 'It is over.' });

  const plan = (name: string, componentId: string) =>
    service.createIncident({
      name,
      status: 'scheduled',
      scheduled_for: FAR_OFF,
      scheduled_until: FAR_OFF_END,
      component_ids: [componentId],
    });
  const upcoming = await plan('Upcoming maintenance', third.id);
  const running = await plan('Running maintenance', second.id);
  await service.updateIncident(running.id, {
    scheduled_for: LONG_AGO,
    status: 'in_progress',
    components: { [second.id]: 'under_maintenance' },
  });
  const finished = await plan('Finished maintenance', third.id);
  await service.updateIncident(finished.id, { status: 'in_progress', scheduled_for: LONG_AGO });
  await service.updateIncident(finished.id, { status: 'completed' });

  return {
    componentIds: [first.id, second.id, third.id],
    openIncidentId: open.id,
    upcomingId: upcoming.id,
    runningId: running.id,
  };
}

/** The same page after the incident was resolved and both maintenances were completed: `status-closed`. */
export async function createClosedStatusPage(target: {
  readonly service: StatusService;
  prepare(): Promise<void>;
}): Promise<BusyStatusPage> {
  const page = await createBusyStatusPage(target);
  await target.service.updateIncident(page.openIncidentId, { status: 'resolved' });
  await target.service.updateIncident(page.runningId, { status: 'completed' });
  await target.service.updateIncident(page.upcomingId, { status: 'completed' });
  return page;
}
