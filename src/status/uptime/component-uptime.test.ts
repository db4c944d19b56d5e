import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import {
  type OpenStatusArea,
  openStatusArea,
  START,
  TEST_TOKENS,
} from '../../../test/kit/status/open-status-area.ts';
import { UptimeSchema } from '../documents/managed-schemas.ts';
import {
  ComponentDocumentSchema,
  IncidentDocumentSchema,
  UptimeDocumentSchema,
} from '../documents/schemas.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea({ options: { timeZone: 'Europe/Berlin' } });
  app = await manageApp(opened.area);
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

async function managed(path: string) {
  const page = (await opened.area.service.readPage()).id;
  const headers = { authorization: `OAuth ${TEST_TOKENS.read.text}` };
  const response = await app.inject({ url: `/v1/pages/${page}${path}`, headers });
  return { status: response.statusCode, body: response.json() };
}
const read = async (path: string) => (await app.inject(`/api/v2/${path}`)).json();

/** A component with one hour of a major and two of a partial outage, from the tenth hour on. */
async function anOutage(name = 'API') {
  const { service } = opened.area;
  const { id } = await service.createComponent({ name });
  const set = async (afterMs: number, status: string) => {
    opened.clock.advance(afterMs);
    await service.updateComponent(id, { status });
  };
  await set(10 * HOUR, 'major_outage');
  await set(HOUR, 'partial_outage');
  await set(2 * HOUR, 'operational');
  return id;
}

function conforms(schema: object, value: unknown): void {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  expect(ajv.validate(schema, value), JSON.stringify(ajv.errors)).toBe(true);
}

describe('GET …/uptime of the management API', () => {
  test('counts outages since the component exists, and says that the range was cut', async () => {
    const id = await anOutage();
    opened.clock.advance(11 * HOUR);
    const { status, body } = await managed(`/components/${id}/uptime`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        name: 'API',
        range_start: '2026-03-02T10:00:00.000+01:00',
        range_end: '2026-03-03T10:00:00.000+01:00',
        // 100 × (1 − (1 + 0.3 × 2) / 24)
        uptime_percentage: 93.3333,
        major_outage: 3600,
        partial_outage: 7200,
        warnings: expect.stringContaining('shortened'),
        related_events: { incidents: [] },
      },
    ]);
    conforms(UptimeSchema, body);
  });

  test('an end that lies far ahead still gives the last 30 days', async () => {
    const id = await anOutage();
    opened.clock.advance(40 * DAY);
    const { body } = await managed(`/components/${id}/uptime?end=2030-01-01`);
    const now = opened.clock.now();
    expect([Date.parse(body.range_start), Date.parse(body.range_end)]).toEqual([now - 30 * DAY, now]);
  });

  test('takes dates in UTC and instants, and names the incidents of the time', async () => {
    const id = await anOutage();
    const { id: incident } = await opened.area.service.createIncident({ name: 'I', component_ids: [id] });
    opened.clock.advance(3 * DAY);
    const during = await managed(
      `/components/${id}/uptime?start=2026-03-02T19:30:00Z&end=2026-03-02T20:30:00Z`,
    );
    expect(during.body).toMatchObject({
      major_outage: 1800,
      partial_outage: 1800,
      uptime_percentage: 35,
      warnings: null,
    });
    expect(during.body.related_events.incidents).toEqual([]);
    const later = await managed(`/components/${id}/uptime?start=2026-03-03&end=2026-03-04`);
    expect(later.body).toMatchObject({
      range_start: '2026-03-03T01:00:00.000+01:00',
      uptime_percentage: 100,
    });
    expect(later.body.related_events.incidents).toEqual([incident]);
  });

  test('of a group is the mean of its children', async () => {
    const first = await anOutage();
    const { id: second } = await opened.area.service.createComponent({ name: 'Other' });
    const group = await opened.area.service.createGroup({ name: 'G', components: [first, second] });
    opened.clock.advance(11 * HOUR);
    const range = 'start=2026-03-02T09:00:00Z&end=2026-03-03T09:00:00Z';
    const { body } = await managed(`/component-groups/${group.id}/uptime?${range}`);
    expect(body).toMatchObject({ id: group.id, uptime_percentage: 96.6667, major_outage: 3600 });
    expect((await managed(`/component-groups/${first}/uptime`)).status).toBe(404);
  });

  test.each(['start=yesterday', 'end=2026-13-01', 'start=2026-03-04&end=2026-03-03', 'start=a&start=b'])(
    'refuses %s',
    async (query) => {
      const id = await anOutage();
      expect((await managed(`/components/${id}/uptime?${query}`)).status).toBe(422);
    },
  );
});

describe('GET /api/v2/uptime.json', () => {
  test('has ninety local days of every leaf, those around a clock change too', async () => {
    const id = await anOutage();
    await opened.area.service.createGroup({ name: 'G', components: [id] });
    // Berlin sets its clocks forward on 29 March.
    opened.clock.set(Date.parse('2026-03-30T10:00:00Z'));
    await opened.area.service.updateComponent(id, { status: 'degraded_performance' });
    opened.clock.set(Date.parse('2026-03-31T10:00:00Z'));
    const document = await read('uptime.json');
    conforms(UptimeDocumentSchema, document);
    expect(document.range_start).toBe('2026-01-01T00:00:00.000+01:00');
    const [component, ...others] = document.components;
    expect(others).toEqual([]);
    expect(component).toMatchObject({ id, name: 'API', uptime_percentage: 99.77 });
    expect(component.days).toHaveLength(90);
    const day = (date: string) => component.days.find((each: { date: string }) => each.date === date);
    expect(day('2026-03-01')).toMatchObject({ status: null, major_outage: 0 });
    expect(day('2026-03-02')).toMatchObject({
      status: 'major_outage',
      major_outage: 3600,
      partial_outage: 7200,
    });
    expect(day('2026-03-29')).toMatchObject({ status: 'operational' });
    expect(day('2026-03-30')).toMatchObject({
      status: 'degraded_performance',
      degraded_performance: 12 * 3600,
    });
    expect(day('2026-03-31')).toMatchObject({ degraded_performance: 12 * 3600 });
  });

  test('is kept for a minute, and until the page changes', async () => {
    await anOutage();
    const first = await app.inject('/api/v2/uptime.json');
    opened.clock.advance(59_000);
    const same = await app.inject({
      url: '/api/v2/uptime.json',
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    expect(same.statusCode).toBe(304);
    opened.clock.advance(1_000);
    expect((await read('uptime.json')).range_end).not.toBe(first.json().range_end);
    await opened.area.service.createComponent({ name: 'New' });
    expect((await read('uptime.json')).components).toHaveLength(2);
  });
});

describe('documents of single things', () => {
  test('a component and an incident, in the forms of the lists, follow every change', async () => {
    const id = await anOutage();
    const { id: incident } = await opened.area.service.createIncident({ name: 'I', component_ids: [id] });
    const component = await read(`components/${id}.json`);
    conforms(ComponentDocumentSchema, component);
    expect(component.component).toEqual((await read('components.json')).components[0]);
    const document = await read(`incidents/${incident}.json`);
    conforms(IncidentDocumentSchema, document);
    expect(document.incident).toEqual((await read('incidents.json')).incidents[0]);
    await opened.area.service.updateIncident(incident, { status: 'resolved' });
    expect((await read(`incidents/${incident}.json`)).incident.status).toBe('resolved');
  });

  test('a maintenance has its window', async () => {
    const { id } = await opened.area.service.createIncident({
      name: 'M',
      scheduled_for: new Date(START + DAY).toISOString(),
      scheduled_until: new Date(START + 2 * DAY).toISOString(),
    });
    const document = await read(`incidents/${id}.json`);
    conforms(IncidentDocumentSchema, document);
    expect(document.incident).toMatchObject({ id, scheduled_for: '2026-03-03T10:00:00.000+01:00' });
  });

  test.each([
    'components/123456789bcd.json',
    'incidents/123456789bcd.json',
    'components/x',
    'incidents/a%2Fb.json',
  ])('%s is not found, with the body of the public API', async (path) => {
    const { statusCode, body } = await app.inject(`/api/v2/${path}`);
    expect([statusCode, body]).toEqual([404, '{"error":"Not found"}']);
  });
});
