import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBusyStatusPage } from '../../../test/kit/status/busy-page.ts';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import {
  type OpenStatusArea,
  openStatusArea,
  START,
  TEST_TOKENS,
} from '../../../test/kit/status/open-status-area.ts';
import {
  AuditEntrySchema,
  ManagedComponentSchema,
  ManagedGroupSchema,
  ManagedIncidentSchema,
  ManagedPageSchema,
} from '../documents/managed-schemas.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;
let page: string;

beforeEach(async () => {
  opened = await openStatusArea();
  app = await manageApp(opened.area);
  page = (await opened.area.service.readPage()).id;
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

const WRITER = { authorization: `OAuth ${TEST_TOKENS.write.text}` };

async function call(
  method: string,
  path: string,
  payload?: unknown,
  headers: Record<string, string> = WRITER,
) {
  const url = path.startsWith('/v1') ? path : `/v1/pages/${page}${path}`;
  const options: InjectOptions = { method: method as 'GET', url, headers };
  const response = await app.inject(
    payload === undefined ? options : { ...options, payload: payload as object },
  );
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? null : response.json(),
  };
}

const revision = () => opened.area.repository.revision();
const error = (text: string) => ({ error: text, message: text });

describe('access to the management API', () => {
  const paths = ['/v1/pages', '/v1/pages/x/components', '/v1/pages/x/nothing', '/v1'];

  test.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'OAuth wrong' }],
    ['a cut token', { authorization: `OAuth ${TEST_TOKENS.write.text.slice(1)}` }],
    ['a malformed header', { authorization: `Basic ${TEST_TOKENS.write.text}` }],
  ])('with %s every path answers 401 alike, known or not', async (_, headers) => {
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const { status, body } = await call(method, path, undefined, headers as Record<string, string>);
        expect([status, body]).toEqual([401, error('Could not authenticate')]);
      }
    }
    expect(await revision()).toBe(1);
  });

  test('without any configured token nobody gets in', async () => {
    const closed = await openStatusArea({ options: { tokens: [] } });
    const closedApp = await manageApp(closed.area);
    const { statusCode } = await closedApp.inject({ url: '/v1/pages', headers: WRITER });
    expect(statusCode).toBe(401);
    await closedApp.close();
    closed.close();
  });

  test('a token that may read gets 403 for every write', async () => {
    const reader = { authorization: `Bearer ${TEST_TOKENS.read.text}` };
    expect((await call('GET', '/components', undefined, reader)).status).toBe(200);
    expect((await call('HEAD', '/components', undefined, reader)).status).toBe(200);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const path = method === 'POST' ? '/components' : '/components/123456789bcd';
      const { status, body } = await call(method, path, { component: { name: 'X' } }, reader);
      expect([status, body]).toEqual([403, error('Forbidden')]);
    }
    expect(await revision()).toBe(1);
  });

  test('a token of the query counts, an unknown path and a wrong method are told only to those who may know', async () => {
    const known = await call('GET', `/v1/pages?api_key=${TEST_TOKENS.read.text}`, undefined, {});
    expect(known.status).toBe(200);
    expect(await call('GET', '/metrics')).toMatchObject({ status: 404, body: error('Not found') });
    expect(await call('POST', '/components/123456789bcd')).toMatchObject({
      status: 405,
      headers: { allow: 'DELETE, GET, HEAD, PATCH, PUT' },
    });
  });

  test('600 calls of a token in a minute pass, the next one is told how long to wait', async () => {
    for (let count = 0; count < 600; count += 1) expect((await call('GET', '/v1/pages')).status).toBe(200);
    opened.clock.advance(20_500);
    const refused = await call('GET', '/v1/pages');
    expect(refused).toMatchObject({
      status: 429,
      body: error('Rate limit exceeded'),
      headers: { 'retry-after': '40' },
    });
    const other = { authorization: `OAuth ${TEST_TOKENS.read.text}` };
    expect((await call('GET', '/v1/pages', undefined, other)).status).toBe(200);
    opened.clock.advance(39_500);
    expect((await call('GET', '/v1/pages')).status).toBe(200);
  });
});

describe('bodies of the management API', () => {
  test.each([
    ['no JSON', '{"component":', 'application/json', 400, 'Invalid request body'],
    ['a list', '[]', 'application/json', 400, 'Invalid request body'],
    ['a text', '"component"', 'application/json', 400, 'Invalid request body'],
    ['null', 'null', 'application/json', 400, 'Invalid request body'],
    ['a text in place of the members', '{"component":"x"}', 'application/json', 400, 'Invalid request body'],
    [
      'too many levels',
      `{"component":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
      'application/json',
      400,
      'Invalid request body',
    ],
    [
      'a form that contradicts itself',
      'component=1&component[name]=2',
      'application/x-www-form-urlencoded',
      400,
      'Invalid request body',
    ],
    ['another type', '<component/>', 'application/xml', 415, 'Unsupported media type'],
    [
      'a body over 256 KiB',
      `{"component":{"name":"${'x'.repeat(262_144)}"}}`,
      'application/json',
      413,
      'Request body too large',
    ],
  ])('%s is refused and nothing is written', async (_, payload, type, status, text) => {
    const answer = await call('POST', '/components', payload, { ...WRITER, 'content-type': type });
    expect([answer.status, answer.body]).toEqual([status, error(text)]);
    expect(await revision()).toBe(1);
  });

  test('JSON counts without a named type, and nothing else does', async () => {
    const made = await call('POST', '/components', Buffer.from('{"component":{"name":"API"}}'));
    expect(made).toMatchObject({ status: 201, body: { name: 'API' } });
    const form = await call('POST', '/components', Buffer.from('component[name]=API'));
    expect([form.status, form.body]).toEqual([400, error('Invalid request body')]);
  });

  test('a group may be changed by its bare members; unknown ones are passed over', async () => {
    const { body: api } = await call('POST', '/components', { component: { name: 'API' } });
    const group = { name: 'G', components: [api.id] };
    const { body: made } = await call('POST', '/component-groups', { component_group: group });
    const renamed = await call('PATCH', `/component-groups/${made.id}`, { ...group, name: 'H', position: 9 });
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: 'H', components: [api.id], position: made.position },
    });
  });

  test('a form with bracket names does the same as JSON', async () => {
    const form = { ...WRITER, 'content-type': 'application/x-www-form-urlencoded' };
    const api = await call('POST', '/components.json', 'component[name]=API&component[showcase]=false', form);
    expect(api).toMatchObject({ status: 201, body: { name: 'API', showcase: false } });
    const id = api.body.id;
    const incident = await call(
      'POST',
      '/incidents',
      `incident[name]=Down&incident[components][${id}]=major_outage`,
      form,
    );
    expect(incident).toMatchObject({ status: 201, body: { impact: 'critical', components: [{ id }] } });
    const group = await call(
      'POST',
      '/component-groups',
      `component_group[name]=G&component_group[components][]=${id}`,
      form,
    );
    expect(group).toMatchObject({ status: 201, body: { components: [id] } });
  });

  test('an empty body that is called JSON is no obstacle to reading and deleting', async () => {
    const headers = { ...WRITER, 'content-type': 'application/json' };
    const { body } = await call('POST', '/components', { component: { name: 'A' } });
    expect((await call('GET', `/components/${body.id}`, undefined, headers)).status).toBe(200);
    expect(await call('DELETE', `/components/${body.id}.json`, '', headers)).toMatchObject({
      status: 204,
      body: null,
    });
  });

  test('a body is not read for strangers', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    expect(url).toContain(String(port));
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          port,
          method: 'POST',
          path: `/v1/pages/${page}/components`,
          headers: { 'content-type': 'application/json', 'content-length': '100000' },
        },
        (response) => {
          resolve(response.statusCode);
          sent.destroy();
        },
      );
      // Only the beginning is ever sent: whoever waits for the rest never answers.
      sent.on('error', reject).write('{');
    });
    expect(status).toBe(401);
  });
});

describe('things that do not exist', () => {
  const unknown = '123456789bcd';
  test.each([
    ['GET', '/v1/pages/123456789bcd', 'Page not found'],
    ['POST', '/v1/pages/123456789bcd/components', 'Page not found'],
    ['GET', `/components/${unknown}`, 'Component not found'],
    ['DELETE', `/components/${unknown}`, 'Component not found'],
    ['PATCH', `/component-groups/${unknown}`, 'Component group not found'],
    ['DELETE', `/incidents/${unknown}`, 'Incident not found'],
    ['PUT', `/incidents/${unknown}/incident_updates/${unknown}`, 'Incident not found'],
    ['GET', `/incidents/${'x'.repeat(65)}`, 'Incident not found'],
    ['GET', "/incidents/'%20OR%201=1", 'Incident not found'],
    ['GET', '/incidents/%00', 'Incident not found'],
  ])('%s %s answers 404: %s', async (method, path, text) => {
    const { status, body } = await call(method, path, method === 'GET' ? undefined : {});
    expect([status, body]).toEqual([404, error(text)]);
    expect(await revision()).toBe(1);
  });

  test('an unknown update of a known incident', async () => {
    const { body } = await call('POST', '/incidents', { incident: { name: 'I' } });
    const answer = await call('PATCH', `/incidents/${body.id}/incident_updates/${unknown}`, {});
    expect([answer.status, answer.body]).toEqual([404, error('Incident update not found')]);
  });
});

describe('calls of the management API', () => {
  test('answers match their schemas', async () => {
    const { openIncidentId, componentIds } = await createBusyStatusPage(opened.area);
    await call('POST', '/component-groups', {
      component_group: { name: 'G', components: [componentIds[0]] },
    });
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const cases = [
      ['/v1/pages', ManagedPageSchema],
      ['/components', ManagedComponentSchema],
      ['/component-groups', ManagedGroupSchema],
      ['/incidents', ManagedIncidentSchema],
      ['/incidents/scheduled', ManagedIncidentSchema],
      ['/audit', AuditEntrySchema],
    ] as const;
    for (const [path, schema] of cases) {
      const { body } = await call('GET', path);
      expect(body.length, path).toBeGreaterThan(0);
      const isValid = ajv.compile(schema);
      for (const item of body) expect(isValid(item), `${path} ${JSON.stringify(isValid.errors)}`).toBe(true);
    }
    expect((await call('GET', `/incidents/${openIncidentId}`)).headers['cache-control']).toBe('no-store');
  });

  test('lists of open incidents hold what their names say', async () => {
    await createBusyStatusPage(opened.area);
    const names = async (path: string) =>
      (await call('GET', path)).body.map(({ name }: { name: string }) => name);
    expect(await names('/incidents/unresolved')).toEqual(['Open incident']);
    expect(await names('/incidents/upcoming')).toEqual(['Upcoming maintenance']);
    expect(await names('/incidents/active_maintenance')).toEqual(['Running maintenance']);
    expect(await names('/incidents/scheduled')).toEqual(['Running maintenance', 'Upcoming maintenance']);
    expect(await names('/incidents')).toEqual([
      'Finished maintenance',
      'Running maintenance',
      'Upcoming maintenance',
      'Past incident',
      'Open incident',
    ]);
    expect(await names('/incidents?limit=2&page=2')).toEqual(['Upcoming maintenance', 'Past incident']);
    expect(await names('/incidents?q=MAINTENANCE&limit=1&page=3')).toEqual(['Upcoming maintenance']);
    expect(await names('/incidents?q=the%20CAUSE')).toEqual(['Open incident']);
    expect(await names('/incidents?q=%25')).toEqual([]);
    expect(await names('/components?per_page=1&page=2')).toEqual(['Mirror REST API']);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'per_page=0',
    'per_page=9999999999',
    'page=1&page=2',
  ])('a list with %s is refused', async (query) => {
    const { status, body } = await call('GET', `/components?${query}`);
    expect([status, body.error]).toEqual([
      422,
      [query.startsWith('per') ? 'Per page is invalid' : 'Page is invalid'],
    ]);
  });

  test('PUT changes only what is given, and the same call again changes nothing', async () => {
    const { body: made } = await call('POST', '/components', {
      component: { name: 'A', description: 'First' },
    });
    opened.clock.advance(1000);
    const { body: put } = await call('PUT', `/components/${made.id}`, { component: { name: 'B' } });
    expect(put).toMatchObject({ name: 'B', description: 'First' });
    const before = await revision();
    opened.clock.advance(1000);
    const again = await call('PATCH', `/components/${made.id}`, { component: { name: 'B' } });
    expect([again.status, again.body, await revision()]).toEqual([200, put, before]);
  });

  test('a refused call leaves no trace, not even in the audit', async () => {
    const { body: api } = await call('POST', '/components', { component: { name: 'A' } });
    const before = await opened.area.repository.read(null);
    const { status } = await call('POST', '/incidents', {
      incident: { name: 'I', components: { [api.id]: 'major_outage', missing: 'major_outage' } },
    });
    expect(status).toBe(422);
    expect(await opened.area.repository.read(null)).toEqual(before);
    expect((await call('GET', '/audit')).body).toHaveLength(1);
  });

  test('a maintenance takes the times that clients in Ruby and mailers print, and names those it cannot read', async () => {
    const window = (scheduled_for: unknown, scheduled_until: unknown) => ({
      incident: { name: 'M', scheduled_for, scheduled_until },
    });
    const made = await call(
      'POST',
      '/incidents',
      window('2026-12-15 02:00:00 UTC', 'Tue, 15 Dec 2026 04:00:00 +0100'),
    );
    expect(made).toMatchObject({
      status: 201,
      body: { scheduled_for: '2026-12-15T02:00:00.000Z', scheduled_until: '2026-12-15T03:00:00.000Z' },
    });
    const unreadable = window('2026-02-30', 'Tue, 15 Dec 2026 25:00:00 GMT');
    for (const [method, path] of [
      ['POST', '/incidents'],
      ['PATCH', `/incidents/${made.body.id}`],
    ] as const) {
      const refused = await call(method, path, unreadable);
      expect([refused.status, refused.body]).toEqual([
        422,
        {
          error: ['Scheduled for is invalid', 'Scheduled until is invalid'],
          message: 'Scheduled for is invalid, Scheduled until is invalid',
        },
      ]);
    }
    const blank = await call('PATCH', `/incidents/${made.body.id}`, window('', null));
    expect(blank.body.error).toEqual(["Scheduled for can't be blank", "Scheduled until can't be blank"]);
  });

  test('the page takes another name, zone and address, and refuses what cannot be shown', async () => {
    const changed = await call('PATCH', '', {
      page: {
        name: 'Mine',
        time_zone: 'Asia/Tokyo',
        url: 'https://a.example/s/',
        support_url: '',
        subdomain: 'x',
      },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Mine', time_zone: 'Asia/Tokyo', url: 'https://a.example/s', support_url: null },
    });
    const summary = (await app.inject('/api/v2/summary.json')).json();
    expect(summary.page).toMatchObject({
      name: 'Mine',
      time_zone: 'Asia/Tokyo',
      updated_at: '2026-03-02T18:00:00.000+09:00',
    });
    const refused = await call('PATCH', '', {
      page: { name: ' ', time_zone: 'Mars/Base', url: 'javascript:alert(1)', support_url: 7 },
    });
    expect([refused.status, refused.body.error]).toEqual([
      422,
      ["Name can't be blank", 'Url is invalid', 'Time zone is invalid', 'Support url is invalid'],
    ]);
  });

  test.each([
    'https://help.example.org/contact/?topic=status&lang=en#form',
    'mailto:help@example.org?subject=Status',
  ])('the page keeps the support address %s as it is given', async (address) => {
    const changed = await call('PATCH', '', { page: { support_url: address } });
    expect([changed.status, changed.body.support_url]).toEqual([200, address]);
  });

  test('the page refuses an address longer than any, at once', async () => {
    const long = (slashes: number) => `https://a.example/${'/'.repeat(slashes)}x`;
    const before = process.cpuUsage().user;
    const refused = await call('PATCH', '', {
      page: { url: long(200_000), support_url: long(3_000) },
    });
    expect([refused.status, refused.body.error]).toEqual([422, ['Url is invalid', 'Support url is invalid']]);
    expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'help.example.org', 'https://a.example/"x'])(
    'the page refuses %s as a support address',
    async (address) => {
      const refused = await call('PATCH', '', { page: { support_url: address } });
      expect([refused.status, refused.body.error]).toEqual([422, ['Support url is invalid']]);
    },
  );

  test('a write is refused when the object changed after the second that the caller knows', async () => {
    const { body: made } = await call('POST', '/components', { component: { name: 'A' } });
    const known = new Date(START).toUTCString();
    const changes: string[] = [];
    const nextName = () => `Change ${changes.push('')}`;
    const conditional = (since: string) =>
      call(
        'PATCH',
        `/components/${made.id}`,
        { component: { name: nextName() } },
        { ...WRITER, 'if-unmodified-since': since },
      );
    expect((await conditional(known)).status).toBe(200);
    opened.clock.advance(2000);
    expect((await conditional(known)).status).toBe(200);
    expect(await conditional(known)).toMatchObject({ status: 409, body: error('Conflict') });
    expect((await conditional('no date')).status).toBe(200);
  });

  test('the audit tells who changed what, from and to', async () => {
    const { body: made } = await call('POST', '/components', { component: { name: 'A' } });
    opened.clock.advance(1000);
    await call('PATCH', `/components/${made.id}`, { component: { name: 'B' } });
    await call('DELETE', `/components/${made.id}`);
    const { body } = await call('GET', '/audit');
    expect(body).toMatchObject([
      { actor: 'tester', call: 'component.delete', id: made.id, before: { name: 'B' }, after: null },
      {
        at: '2026-03-02T09:00:01.000Z',
        call: 'component.update',
        before: { name: 'A', updated_at: '2026-03-02T09:00:00.000Z' },
        after: { name: 'B', updated_at: '2026-03-02T09:00:01.000Z' },
      },
      { call: 'component.create', before: null, after: { name: 'A' } },
    ]);
    expect(opened.logged).toContain('status page changed');
  });

  test('script in names and texts is kept as it was written', async () => {
    const script = '<script>alert(1)</script> \u2028 {{x}}';
    const { body } = await call('POST', '/incidents', { incident: { name: script, body: script } });
    expect(body).toMatchObject({ name: script, incident_updates: [{ body: script }] });
    const { status, headers } = await call('GET', '/incidents');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });
});

describe('notices for subscribers', () => {
  const notices = () => opened.area.repository.readNotices(0, 100);

  test('are written with the change: one per update and one per component that changed', async () => {
    const { body: api } = await call('POST', '/components', { component: { name: 'API' } });
    const { body: made } = await call('POST', '/incidents', {
      incident: { name: 'I', components: { [api.id]: 'major_outage' } },
    });
    expect(await notices()).toMatchObject([
      {
        sequence: 1,
        kind: 'incident',
        subjectId: made.id,
        payload: {
          page: { id: page, status_indicator: 'critical', status_description: 'Major System Outage' },
          incident: { id: made.id },
        },
      },
      {
        kind: 'component',
        subjectId: api.id,
        payload: {
          component: { id: api.id, status: 'major_outage' },
          component_update: {
            component_id: api.id,
            old_status: 'operational',
            new_status: 'major_outage',
            component_type: 'Component',
          },
        },
      },
    ]);
  });

  test('are not written for refused, repeated, silent and backfilled calls', async () => {
    const { body: api } = await call('POST', '/components', { component: { name: 'API' } });
    await call('POST', '/incidents', { incident: { name: '' } });
    await call('POST', '/incidents', {
      incident: { name: 'Old', backfilled: true, backfill_date: '2026-01-01' },
    });
    const silent = { name: 'I', deliver_notifications: false, components: { [api.id]: 'major_outage' } };
    const { body: made } = await call('POST', '/incidents', { incident: silent });
    await call('PATCH', `/incidents/${made.id}`, { incident: { status: 'investigating' } });
    expect(await notices()).toEqual([]);
  });
});
