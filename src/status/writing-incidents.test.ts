import { describe, expect, onTestFinished, test } from 'vitest';
import { openStatusArea } from '../../test/kit/status/open-status-area.ts';
import type { Input } from './rules/input-members.ts';
import type { StatusOptions } from './status-options.ts';

async function open(options: Partial<StatusOptions> = {}) {
  const opened = await openStatusArea({ options });
  onTestFinished(() => opened.close());
  const { service, repository } = opened.area;
  const api = (await service.createComponent({ name: 'API' })).id;
  const queue = (await service.createComponent({ name: 'Queue' })).id;
  const statusOf = async (id: string) => (await service.readComponent(id)).status;
  return { ...opened, service, repository, api, queue, statusOf };
}

const WINDOW = { scheduled_for: '2026-03-02T12:00:00Z', scheduled_until: '2026-03-02T13:00:00Z' };
const EFFECTS = { auto_transition_to_maintenance_state: true, auto_transition_to_operational_state: true };
const AUTOMATIC = { ...EFFECTS, scheduled_auto_in_progress: true, scheduled_auto_completed: true };

describe('opening an incident', () => {
  test.each<[Input, readonly string[]]>([
    [{ name: 'A', body: 'x'.repeat(25_001) }, ['Body is too long (maximum is 25000 characters)']],
    [{ name: 'A', status: 'postmortem' }, ['Status is not valid for a realtime incident']],
    [{ name: 'A', status: 'scheduled', backfilled: true }, ['Status is not valid for a realtime incident']],
    [{ name: 'A', backfilled: true, backfill_date: 'then' }, ['Backfill date is invalid']],
    [{ name: 'A', backfilled: true, backfill_date: '2030-01-01' }, ['Backfill date is invalid']],
    [
      { name: 'A', scheduled_for: 'soon', scheduled_until: null },
      ["Scheduled until can't be blank", 'Scheduled for is invalid'],
    ],
    [
      { name: '', scheduled_for: '2026-02-30', scheduled_until: 1772442000, metadata: 1 },
      [
        "Name can't be blank",
        'Scheduled for is invalid',
        'Scheduled until is invalid',
        'Metadata is invalid',
      ],
    ],
    [{ name: 'A', components: 'all' }, ['Components is invalid']],
    [{ name: 'A', component_ids: { a: 1 } }, ['Components is invalid']],
    [
      { name: 'A', components: { zzzzzzzzzzzz: 'down' } },
      ['Components is invalid', 'Component status is not included in the list'],
    ],
    [{ name: 'A', metadata: { jira: 'not an object' } }, ['Metadata is invalid']],
    [{ name: 'A', reminder_intervals: [3, 6] }, ['Reminder intervals is invalid']],
  ])('refuses %j', async (input, problems) => {
    const { service, repository } = await open();
    const before = await repository.read(null);
    await expect(service.createIncident(input)).rejects.toMatchObject({
      code: 'status_validation',
      problems,
    });
    expect(await repository.read(null)).toEqual(before);
  });

  test('keeps what the caller stores with it', async () => {
    const { service } = await open();
    const metadata = { jira: { issue: 'OPS-7' } };
    const incident = await service.createIncident({
      name: 'Stored',
      metadata,
      reminder_intervals: '[3, 6, 12, 24]',
      deliver_notifications: false,
      wants_twitter_update: true,
    });
    expect(incident).toMatchObject({ metadata, reminder_intervals: '[3, 6, 12, 24]' });
    expect(incident.incident_updates[0]).toMatchObject({ deliver_notifications: false, custom_tweet: null });
    expect(await service.readIncident(incident.id)).toEqual(incident);
  });

  test('components given as a list only attaches them', async () => {
    const { service, api } = await open();
    const { components, incident_updates } = await service.createIncident({ name: 'A', components: [api] });
    expect(components.map(({ id }) => id)).toEqual([api]);
    expect(incident_updates[0]?.affected_components).toEqual([
      { code: api, name: 'API', old_status: 'operational', new_status: 'operational' },
    ]);
  });

  test('a start without status makes a maintenance, also by the old name of its flag', async () => {
    const { service } = await open();
    const planned = await service.createIncident({
      name: 'Plan',
      ...WINDOW,
      scheduled_auto_transition: 'true',
    });
    expect(planned).toMatchObject({
      status: 'scheduled',
      impact: 'maintenance',
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: false,
      scheduled_reminded_at: null,
    });
  });
});

describe('on a page in New York', () => {
  test('times without a zone are UTC', async () => {
    const { service, repository } = await open({ timeZone: 'America/New_York' });
    const plan = { scheduled_for: '2026-12-15 02:00:00', scheduled_until: '2026-12-16' };
    const past = { backfilled: true, backfill_date: '2026-01-05T10:00' };
    const { id } = await service.createIncident({ name: 'Plan', ...plan });
    const backfilled = await service.createIncident({ name: 'Past', ...past });
    const updateId = backfilled.incident_updates[0]?.id ?? '';
    const shown = { display_at: '2026-01-05 11:00' };
    expect(backfilled.created_at).toBe('2026-01-05T05:00:00.000-05:00');
    expect(await service.editIncidentUpdate(backfilled.id, updateId, shown)).toMatchObject({
      display_at: '2026-01-05T06:00:00.000-05:00',
    });
    expect((await repository.read(id)).incidents.find((incident) => incident.id === id)).toMatchObject({
      scheduledFor: Date.parse('2026-12-15T02:00:00Z'),
      scheduledUntil: Date.parse('2026-12-16T00:00:00Z'),
    });
  });
});

describe('updating an incident', () => {
  test('an empty component set detaches all and adds no update', async () => {
    const { service, api, clock } = await open();
    const { id } = await service.createIncident({ name: 'A', component_ids: [api] });
    clock.advance(1000);
    const detached = await service.updateIncident(id, { component_ids: [] });
    expect(detached.components).toEqual([]);
    expect(detached.incident_updates).toHaveLength(1);
    expect(detached.updated_at).toBe('2026-03-02T09:00:01.000Z');
  });

  test('the set comes first, then statuses attach what is missing', async () => {
    const { service, api, queue } = await open();
    const { id } = await service.createIncident({ name: 'A', component_ids: [queue] });
    const changed = await service.updateIncident(id, { component_ids: [], components: { [api]: '' } });
    expect(changed.components.map((component) => component.id)).toEqual([api]);
  });

  test('a component that got worse outside raises the impact at the next real edit only', async () => {
    const { service, api, clock } = await open();
    const call = { name: 'A', status: 'investigating', body: 'Look.', component_ids: [api] };
    const created = await service.createIncident(call);
    await service.updateComponent(api, { status: 'major_outage' });
    clock.advance(1000);
    const repeated = await service.updateIncident(created.id, call);
    expect(repeated).toMatchObject({ impact: 'none', updated_at: created.updated_at });
    expect(repeated.incident_updates).toHaveLength(1);
    expect((await service.updateIncident(created.id, { body: 'News.' })).impact).toBe('critical');
    await service.updateComponent(api, { status: 'operational' });
    expect((await service.updateIncident(created.id, { status: 'resolved' })).impact).toBe('critical');
  });

  test('a component status alone is news and gets the default text', async () => {
    const { service, api } = await open();
    const { id } = await service.createIncident({ name: 'A', body: 'Look.' });
    const { incident_updates } = await service.updateIncident(id, {
      components: { [api]: 'partial_outage' },
    });
    expect(incident_updates.map(({ body }) => body)).toEqual(['Investigation has started.', 'Look.']);
  });

  test('nothing leaves its final state, and kinds do not mix', async () => {
    const { service } = await open();
    const realtime = await service.createIncident({ name: 'A' });
    await expect(
      service.updateIncident(realtime.id, { status: 'completed', ...WINDOW }),
    ).rejects.toMatchObject({
      problems: [
        'Scheduled for is not allowed for realtime incidents',
        'Status is not valid for a realtime incident',
      ],
    });
    await service.updateIncident(realtime.id, { status: 'resolved' });
    await expect(service.updateIncident(realtime.id, { status: 'postmortem' })).rejects.toMatchObject({
      problems: ['Status cannot change from resolved to postmortem'],
    });
  });

  test('the window of a maintenance cannot be taken away', async () => {
    const { service } = await open();
    const { id } = await service.createIncident({ name: 'Plan', ...WINDOW });
    await expect(service.updateIncident(id, { scheduled_until: '' })).rejects.toMatchObject({
      problems: ["Scheduled until can't be blank"],
    });
  });

  test('correcting an update twice the same way moves its time once', async () => {
    const { service, clock } = await open();
    const { id, incident_updates } = await service.createIncident({ name: 'A', body: 'Lok.' });
    const updateId = incident_updates[0]?.id ?? '';
    clock.advance(1000);
    const first = await service.editIncidentUpdate(id, updateId, {
      body: 'Look.',
      deliver_notifications: false,
    });
    expect(first).toMatchObject({
      body: 'Look.',
      updated_at: '2026-03-02T09:00:01.000Z',
      deliver_notifications: false,
    });
    clock.advance(1000);
    expect(await service.editIncidentUpdate(id, updateId, { body: 'Look.' })).toEqual(first);
    await expect(service.editIncidentUpdate(id, 'zzzzzzzzzzzz', {})).rejects.toThrow(
      'Incident update not found',
    );
    await expect(service.editIncidentUpdate(id, updateId, { display_at: 'now' })).rejects.toMatchObject({
      problems: ['Display at is invalid'],
    });
  });
});

describe('maintenances', () => {
  test('started and completed by hand they move their components too', async () => {
    const { service, api, statusOf } = await open();
    const { id } = await service.createIncident({
      name: 'Plan',
      ...WINDOW,
      ...EFFECTS,
      component_ids: [api],
    });
    const started = await service.updateIncident(id, { status: 'in_progress' });
    expect(started.incident_updates[0]?.affected_components).toEqual([
      { code: api, name: 'API', old_status: 'operational', new_status: 'under_maintenance' },
    ]);
    expect(await statusOf(api)).toBe('under_maintenance');
    await service.updateIncident(id, { status: 'completed' });
    expect(await statusOf(api)).toBe('operational');
  });

  test('what the call says about a component wins over the effect', async () => {
    const { service, api, queue, statusOf } = await open();
    const { id } = await service.createIncident({
      name: 'Plan',
      ...WINDOW,
      ...EFFECTS,
      component_ids: [api, queue],
    });
    await service.updateIncident(id, {
      status: 'in_progress',
      components: { [api]: 'degraded_performance' },
    });
    expect([await statusOf(api), await statusOf(queue)]).toEqual([
      'degraded_performance',
      'under_maintenance',
    ]);
    await service.updateIncident(id, { status: 'completed' });
    expect([await statusOf(api), await statusOf(queue)]).toEqual(['degraded_performance', 'operational']);
  });

  test('after downtime one run starts and completes, in order of the windows', async () => {
    const { service, repository, api, clock } = await open();
    const later = { scheduled_for: '2026-03-02T12:30:00Z', scheduled_until: '2026-03-02T12:45:00Z' };
    const second = await service.createIncident({
      name: 'Second',
      ...later,
      ...AUTOMATIC,
      component_ids: [api],
    });
    const first = await service.createIncident({
      name: 'First',
      ...WINDOW,
      ...AUTOMATIC,
      component_ids: [api],
    });
    clock.set(Date.parse('2026-03-02T15:00:00Z'));
    await service.runMaintenanceSchedule();
    const shown = async (id: string) =>
      (await service.readIncident(id)).incident_updates.map(({ status, created_at, display_at }) => [
        status,
        created_at.slice(11, 16),
        display_at.slice(11, 16),
      ]);
    expect(await shown(first.id)).toEqual([
      ['completed', '15:00', '13:00'],
      ['in_progress', '15:00', '12:00'],
      ['scheduled', '09:00', '09:00'],
    ]);
    expect((await shown(second.id))[0]).toEqual(['completed', '15:00', '12:45']);
    const after = await repository.read(null);
    expect(after.incidents).toEqual([]);
    await service.runMaintenanceSchedule();
    expect(await repository.read(null)).toEqual(after);
  });

  test('the reminder is not sent when the start has passed', async () => {
    const { service, clock } = await open();
    const { id } = await service.createIncident({ name: 'Plan', ...WINDOW, scheduled_remind_prior: true });
    clock.set(Date.parse(WINDOW.scheduled_for));
    await service.runMaintenanceSchedule();
    expect((await service.readIncident(id)).scheduled_reminded_at).toBeNull();
  });
});
