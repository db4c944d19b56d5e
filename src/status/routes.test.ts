import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createBusyStatusPage, createClosedStatusPage } from '../../test/kit/status/busy-page.ts';
import { fillLargePage } from '../../test/kit/status/large-page.ts';
import { type OpenStatusArea, openStatusArea, START } from '../../test/kit/status/open-status-area.ts';
import { DOCUMENT_ROUTES } from './routes.ts';

const MEMBERS = {
  summary: ['page', 'components', 'incidents', 'scheduled_maintenances', 'status'],
  page: ['id', 'name', 'url', 'time_zone', 'updated_at'],
  component:
    'id name status created_at updated_at position description showcase start_date group_id page_id group only_show_if_degraded'.split(
      ' ',
    ),
  incident:
    'id name status created_at updated_at monitoring_at resolved_at impact shortlink started_at page_id incident_updates components'.split(
      ' ',
    ),
  update:
    'id status body incident_id created_at updated_at display_at affected_components deliver_notifications custom_tweet tweet_id'.split(
      ' ',
    ),
};

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea();
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await app.register(opened.area.routes);
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

test('a form that the client holds already is not made for it, and answered past the router all the same', async () => {
  const url = '/api/v2/summary.json';
  const size = { components: 10, changes: 1, incidents: 1, incidentDays: 1 };
  await fillLargePage(opened.area.repository, size, START);
  const { headers } = await app.inject(url);
  const held = String(headers['etag']).replace(/"$/, '-gzip"');
  const { answerDirectly } = opened.area;
  const takesGzip = { 'accept-encoding': 'gzip' };
  expect(await answerDirectly?.(url, { ...takesGzip, 'if-none-match': held })).toMatchObject({
    statusCode: 304,
    body: null,
  });
  expect(await answerDirectly?.(url, takesGzip)).toBeNull();
});

const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
const read = async (path: string) => (await app.inject(`/api/v2/${path}`)).json();

describe('GET /api/v2 documents', () => {
  test.each(Object.entries(DOCUMENT_ROUTES))(
    '%s matches its schema, empty, busy and closed',
    async (path, { schema }) => {
      const ajv = new Ajv({ strict: false });
      addFormats.default(ajv);
      const isValid = ajv.compile(schema);
      for (const fill of [async () => undefined, createBusyStatusPage, createClosedStatusPage]) {
        await fill(opened.area);
        expect(isValid((await app.inject(path)).json()), JSON.stringify(isValid.errors)).toBe(true);
      }
    },
  );

  test('members come in the order of the contract', async () => {
    await createBusyStatusPage(opened.area);
    const summary = await read('summary.json');
    const [incident] = summary.incidents;
    const [maintenance] = summary.scheduled_maintenances;
    expect(Object.keys(summary)).toEqual(MEMBERS.summary);
    expect(Object.keys(summary.page)).toEqual(MEMBERS.page);
    expect(Object.keys(summary.status)).toEqual(['indicator', 'description']);
    expect(Object.keys(summary.components[0])).toEqual(MEMBERS.component);
    expect(Object.keys(incident)).toEqual([...MEMBERS.incident, 'reminder_intervals']);
    expect(Object.keys(maintenance)).toEqual([...MEMBERS.incident, 'scheduled_for', 'scheduled_until']);
    expect(Object.keys(incident.incident_updates[0])).toEqual(MEMBERS.update);
    expect(Object.keys(incident.incident_updates[0].affected_components[0])).toEqual([
      'code',
      'name',
      'old_status',
      'new_status',
    ]);
    expect(incident.shortlink).toBe(`https://status.example.org/i/${incident.id}`);
  });

  test('each list holds and orders what the specification says', async () => {
    await createBusyStatusPage(opened.area);
    expect(names((await read('incidents.json')).incidents)).toEqual(['Past incident', 'Open incident']);
    expect(names((await read('incidents/unresolved.json')).incidents)).toEqual(['Open incident']);
    const maintenances = async (path: string) => names((await read(path)).scheduled_maintenances);
    expect(await maintenances('summary.json')).toEqual(['Running maintenance', 'Upcoming maintenance']);
    expect(await maintenances('scheduled-maintenances.json')).toEqual([
      'Upcoming maintenance',
      'Finished maintenance',
      'Running maintenance',
    ]);
    expect(await maintenances('scheduled-maintenances/upcoming.json')).toEqual(['Upcoming maintenance']);
    expect(await maintenances('scheduled-maintenances/active.json')).toEqual(['Running maintenance']);
  });

  test('backfilled incidents are in the history and not in the summary; lists end at 50', async () => {
    const { service } = opened.area;
    await service.createIncident({ name: 'Old', backfilled: true, backfill_date: '2025-01-01' });
    for (let index = 1; index <= 50; index += 1) {
      opened.clock.advance(1000);
      await service.createIncident({ name: `Incident ${index}` });
    }
    expect((await read('summary.json')).incidents).toHaveLength(50);
    const listed = names((await read('incidents.json')).incidents);
    expect([listed.length, listed[0], listed[49]]).toEqual([50, 'Incident 50', 'Incident 1']);
    await service.createIncident({ name: 'One more' });
    expect((await read('summary.json')).incidents).toHaveLength(51);
  });

  test('a closed page is operational and lists nothing', async () => {
    await createClosedStatusPage(opened.area);
    const summary = await read('summary.json');
    expect([summary.incidents, summary.scheduled_maintenances]).toEqual([[], []]);
  });

  test('the headers allow caching and scripts of other origins to see the tag', async () => {
    const response = await app.inject('/api/v2/summary.json?_=1700000000');
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
      'access-control-expose-headers': 'ETag',
      'last-modified': new Date(START).toUTCString(),
      etag: expect.stringMatching(/^"[\w-]{32}"$/),
    });
  });

  const FORMS = [
    ['plain', {}],
    ['compressed', { 'accept-encoding': 'gzip' }],
  ] as const;

  test.each(FORMS)('HEAD gives the headers of GET, %s', async (_, headers) => {
    await createBusyStatusPage(opened.area);
    const url = '/api/v2/components.json';
    const get = await app.inject({ url, headers });
    const head = await app.inject({ method: 'HEAD', url, headers });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    const { date: _date, ...expected } = get.headers;
    expect(head.headers).toMatchObject(expected);
  });

  test('long documents are sent compressed to those who take it, with a tag of their own', async () => {
    await createBusyStatusPage(opened.area);
    const url = '/api/v2/summary.json';
    const plain = await app.inject(url);
    const compressed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
      'content-length': String(compressed.rawPayload.length),
    });
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect(compressed.headers['etag']).not.toBe(plain.headers['etag']);
  });

  test('short documents are sent plain to everyone, and caches are told to ask', async () => {
    const answer = await app.inject({ url: '/api/v2/status.json', headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(answer.json().status.indicator).toBe('none');
  });

  test('the tag changes exactly with the body', async () => {
    const tag = async () => (await app.inject('/api/v2/summary.json')).headers['etag'];
    const empty = await tag();
    const { id } = await opened.area.service.createComponent({ name: 'API' });
    const filled = await tag();
    expect(filled).not.toBe(empty);
    await opened.area.service.updateComponent(id, { name: 'API' });
    expect(await tag()).toBe(filled);
  });

  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['the tag made weak', (etag: string) => `W/${etag}`, 304],
    ['a list with the tag', (etag: string) => `"other", ${etag}`, 304],
    ['a star', () => '*', 304],
    ['another tag', () => '"other"', 200],
  ])('If-None-Match with %s', async (_, header, statusCode) => {
    await createBusyStatusPage(opened.area);
    const url = '/api/v2/summary.json';
    for (const [, accept] of FORMS) {
      const current = await app.inject({ url, headers: accept });
      const etag = String(current.headers['etag']);
      const headers = { ...accept, 'if-none-match': header(etag) };
      const response = await app.inject({ url, headers });
      expect(response.statusCode).toBe(statusCode);
      const kept = ['etag', 'vary', 'cache-control', 'last-modified', 'access-control-expose-headers'];
      for (const name of kept) expect(response.headers[name]).toBe(current.headers[name]);
      const head = await app.inject({ method: 'HEAD', url, headers });
      expect([head.statusCode, head.body]).toEqual([statusCode, '']);
      // The length is that of the document, not of the empty answer (RFC 9110 section 8.6).
      expect(head.headers['content-length']).toBe(current.headers['content-length']);
      if (statusCode !== 304) continue;
      expect(response.body).toBe('');
      for (const ofBody of ['content-length', 'content-type', 'content-encoding'])
        expect(response.headers[ofBody]).toBeUndefined();
    }
  });

  test('a tag stays good when the client changes the encodings it takes', async () => {
    await createBusyStatusPage(opened.area);
    const url = '/api/v2/summary.json';
    const etag = String((await app.inject(url)).headers['etag']);
    const response = await app.inject({ url, headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } });
    expect([response.statusCode, response.headers['etag']]).toEqual([304, etag]);
  });

  test('If-Modified-Since alone gives the document, since two changes may share a second', async () => {
    await createBusyStatusPage(opened.area);
    const url = '/api/v2/summary.json';
    const since = String((await app.inject(url)).headers['last-modified']);
    const response = await app.inject({ url, headers: { 'if-modified-since': since } });
    expect([response.statusCode, response.json().incidents.length]).toEqual([200, 1]);
  });

  test('the ending .json is required', async () => {
    expect((await app.inject('/api/v2/summary')).statusCode).toBe(404);
  });
});

describe('prepared documents', () => {
  test('a change by another process shows after half a second, without a read per request', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'status-'));
    const file = join(folder, 'shared.sqlite');
    const server = await openStatusArea({ file });
    const command = await openStatusArea({ file, now: START + 500 });
    const reader = Fastify();
    await reader.register(server.area.routes);
    onTestFinished(async () => {
      await reader.close();
      await server.close();
      await command.close();
      rmSync(folder, { recursive: true });
    });
    const shown = async () => names((await reader.inject('/api/v2/components.json')).json().components);
    expect(await shown()).toEqual([]);

    await command.area.service.createComponent({ name: 'Made elsewhere' });
    server.clock.advance(499);
    expect(await shown()).toEqual([]);
    server.clock.advance(1);
    expect(await shown()).toEqual(['Made elsewhere']);
  });

  test('the last documents stay up when the database does not answer', async () => {
    await opened.close();
    opened.clock.advance(5000);
    expect((await app.inject('/api/v2/status.json')).statusCode).toBe(200);
    expect(opened.logged).toContain(
      'status page could not be checked for changes; serving the last known one',
    );
  });

  test('1,100 components and 5,000 incidents are built within the time of a few requests', async () => {
    const size = { components: 1100, changes: 0, incidents: 5000, incidentDays: 700 };
    await fillLargePage(opened.area.repository, size, START);
    const before = process.cpuUsage();
    await opened.area.service.createComponent({ name: 'Newest' });
    const { user, system } = process.cpuUsage(before);
    const ranMs = (user + system) / 1000;
    const { body } = await app.inject('/api/v2/summary.json');
    expect(body.length).toBeLessThan(1_048_576);
    console.info(`change and rebuild with 1,100 components: ${ranMs.toFixed(1)} ms of processor time`);
    expect(ranMs).toBeLessThan(2_000);
  });
});
