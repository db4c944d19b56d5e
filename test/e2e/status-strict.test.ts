import type { ValidateFunction } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENT_ROUTES } from '../../src/status/routes.ts';
import { COMPONENT_STATUSES } from '../../src/status/rules/component-status.ts';
import { IMPACTS } from '../../src/status/rules/indicator.ts';
import { ManualClock } from '../../src/values/clock.ts';
import { describeShared } from '../support/shared-suites.ts';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { strictStatusSchemas } from '../support/strict-status-schemas.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Every answer of the public API in every state, on both listeners. @see contracts/status.md section 13, row 1 */
describeShared('the strict schema', () => {
  let server: TestServer;
  let own: StatusListener;
  let schemas: ReadonlyMap<string, ValidateFunction>;
  /** New York, where the offset changes at night between the states below. */
  const clock = new ManualClock(Date.parse('2026-03-07T22:00:00.000Z'));

  beforeAll(async () => {
    schemas = strictStatusSchemas();
    server = await startTestServer({
      clock,
      env: { STATUS_TIME_ZONE: 'America/New_York' },
      background: false,
    });
    own = await startStatusListener(server);
  });

  afterAll(async () => {
    await own.close();
    await server.close();
  });

  async function read(path: string): Promise<Readonly<Record<string, unknown>>> {
    const answers = await Promise.all(
      [server.url, own.url].map(async (url) => {
        const response = await fetch(`${url}/api/v2/${path}`);
        expect([path, response.status]).toEqual([path, 200]);
        return (await response.json()) as Readonly<Record<string, unknown>>;
      }),
    );
    expect(answers[1], `${path} is the same on both listeners`).toEqual(answers[0]);
    const kind = path.replace(/(components|incidents)\/\w{12}\.json$/, '$1/');
    const isStrict = schemas.get(kind);
    if (isStrict === undefined) throw new Error(`There is no schema for ${kind}`);
    expect(isStrict(answers[0]), `${path}: ${JSON.stringify(isStrict.errors)}`).toBe(true);
    return answers[0]!;
  }

  /** Reads everything; other documents name what single ones are asked for. */
  async function checkAll(): Promise<void> {
    clock.advance(3_600_000);
    const documents = new Map<string, Readonly<Record<string, unknown>>>();
    for (const path of [
      ...Object.keys(DOCUMENT_ROUTES).map((each) => each.slice('/api/v2/'.length)),
      'uptime.json',
    ])
      documents.set(path, await read(path));
    const idsOf = (path: string, member: string) => {
      const entries = documents.get(path)?.[member] ?? [];
      return (entries as readonly { readonly id: string }[]).map(({ id }) => id);
    };
    for (const id of idsOf('components.json', 'components')) await read(`components/${id}.json`);
    for (const id of idsOf('incidents.json', 'incidents')) await read(`incidents/${id}.json`);
    for (const id of idsOf('scheduled-maintenances.json', 'scheduled_maintenances'))
      await read(`incidents/${id}.json`);
  }

  const service = () => server.services.status.service;

  test('holds for a first start', checkAll);

  test('holds for components and groups in every state, alone and together', async () => {
    const alone = await service().createComponent({ name: 'Alone', start_date: '2026-01-31' });
    for (const status of COMPONENT_STATUSES) {
      await service().updateComponent(alone.id, { status, description: `It is ${status}` });
      await checkAll();
    }
    const child = await service().createComponent({
      name: 'Child (v0.1.0) | Network Uptime',
      showcase: false,
    });
    const { id: groupId } = await service().createGroup({ name: 'Group', components: [child.id] });
    for (const status of COMPONENT_STATUSES) {
      await service().updateComponent(child.id, { status, only_show_if_degraded: true });
      await checkAll();
    }
    await service().updateComponent(child.id, { group_id: null });
    expect((await service().readGroup(groupId)).components).toEqual([]);
    await checkAll();
  });

  test('holds for incidents in every state and with every impact', async () => {
    const gone = await service().createComponent({ name: 'Soon gone' });
    const { id } = await service().createIncident({
      name: 'x'.repeat(255),
      components: { [gone.id]: 'major_outage' },
    });
    for (const status of ['identified', 'monitoring', 'resolved', 'investigating', 'resolved']) {
      await service().updateIncident(id, { status, reminder_intervals: '[3, 6]' });
      await checkAll();
    }
    await service().writePostmortem(id, { body_draft: '**Why** it happened' });
    await service().publishPostmortem(id, {});
    await checkAll();
    await service().deleteComponent(gone.id);
    await service().createIncident({ name: 'Long ago', backfilled: true, backfill_date: '2025-07-04' });
    for (const impact of IMPACTS) await service().createIncident({ name: impact, impact_override: impact });
    await checkAll();
  });

  test('holds for maintenances in every state', async () => {
    const component = await service().createComponent({ name: 'Maintained' });
    const { id } = await service().createIncident({
      name: 'Upgrade',
      scheduled_for: '2026-06-01T02:00:00Z',
      scheduled_until: '2026-12-01T04:00:00Z',
      components: { [component.id]: '' },
      auto_transition_to_maintenance_state: true,
    });
    await checkAll();
    for (const status of ['in_progress', 'verifying', 'in_progress', 'completed']) {
      await service().updateIncident(id, { status });
      await checkAll();
    }
    await service().deleteIncident(id);
    await checkAll();
  });

  test('would notice a wrong answer', async () => {
    const summary = await read('summary.json');
    const isStrict = schemas.get('incidents/unresolved.json')!;
    const { page, incidents } = summary as { page: object; incidents: readonly object[] };
    expect(isStrict({ page, incidents })).toBe(true);
    expect(isStrict({ page, incidents: [{ ...incidents[0], status: 'resolved' }] })).toBe(false);
    expect(isStrict({ page, incidents: [{ ...incidents[0], extra: null }] })).toBe(false);
    expect(isStrict({ page: { ...page, updated_at: '2026-03-07T22:00:00Z' }, incidents })).toBe(false);
  });
});
