import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { ManualClock } from '../../src/values/clock.ts';
import { type BusyStatusPage, createBusyStatusPage } from '../kit/status/busy-page.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { MANAGE_CALLS, type ManageCall } from '../support/manage-calls.ts';
import { type RawRequest, sendRaw } from '../support/raw-http.ts';
import { statusDump } from '../support/sqlite-file.ts';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Whatever strangers and careless clients send: refused as the specification says, and nothing is written. */
const WRITER = createStatusToken('writer', 'write', (count) => new Uint8Array(count).fill(7));
const READER = createStatusToken('reader', 'read', (count) => new Uint8Array(count).fill(8));
const AS_WRITER = { authorization: `OAuth ${WRITER.text}` };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN_ID = '123456789bcd';
const LARGEST_BODY = 256 * 1024;

const clock = new ManualClock(Date.parse('2026-03-02T09:00:00.000Z'));
let server: TestServer;
/** The listener of the page alone. */
let own: StatusListener;
let page: string;
let busy: BusyStatusPage;
let updateId: string;

beforeAll(async () => {
  server = await startTestServer({
    env: { STATUS_TOKENS: `${WRITER.line},${READER.line}` },
    clock,
    background: false,
    onDisk: true,
  });
  own = await startStatusListener(server);
  busy = await createBusyStatusPage(server.services.status);
  const { service } = server.services.status;
  page = (await service.readPage()).id;
  updateId = (await service.readIncident(busy.openIncidentId)).incident_updates[0]?.id ?? '';
});
afterAll(async () => {
  await own.close();
  await server.close();
});

const error = (text: string) => ({ error: text, message: text });

/** Sends, checks the status and that the answer is a JSON error, and that no row of the page is another. */
async function refused(request: RawRequest, ...statuses: readonly number[]): Promise<unknown> {
  // The limit of calls is another test's matter.
  clock.advance(1000);
  const before = statusDump(server.databaseUrl);
  const answer = await sendRaw(server.url, request);
  const told = `${request.method} ${request.path.slice(0, 200)} ${answer.body.toString().slice(0, 300)}`;
  expect(statuses, told).toContain(answer.status);
  expect(statusDump(server.databaseUrl), told).toBe(before);
  return request.method === 'HEAD' ? null : JSON.parse(answer.body.toString());
}

const WRITES = MANAGE_CALLS.filter(({ method }) => method !== 'GET');

interface Ids {
  readonly pageId?: string;
  readonly id?: string;
  readonly updateId?: string;
}

/** The path of a call; ids that are not given are those of things that exist. */
function pathOf({ template }: ManageCall, ids: Ids = {}): string {
  const known = template.includes('/incidents') ? busy.openIncidentId : (busy.componentIds[0] ?? '');
  const all = { pageId: page, id: known, updateId, ...ids };
  return template.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => all[name] ?? '');
}

test('the description of the management API names the calls that these tests abuse', () => {
  expect(WRITES.length).toBeGreaterThanOrEqual(14);
  expect(WRITES.filter(({ noun }) => noun !== null).length).toBeGreaterThanOrEqual(8);
});

describe('tokens', () => {
  const { text } = WRITER;
  const api = (key: string) => `?api_key=${encodeURIComponent(key)}`;
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['none', {}, ''],
    ['an empty one', { authorization: '' }, ''],
    ['a scheme without one', { authorization: 'OAuth' }, ''],
    ['a scheme and spaces', { authorization: 'OAuth     ' }, ''],
    ['a wrong one', { authorization: 'OAuth wrong' }, ''],
    ['one of the right length', { authorization: `OAuth ${'A'.repeat(text.length)}` }, ''],
    ['one without its last character', { authorization: `OAuth ${text.slice(0, -1)}` }, ''],
    ['one without its first character', { authorization: `OAuth ${text.slice(1)}` }, ''],
    ['half of one', { authorization: `Bearer ${text.slice(0, text.length / 2)}` }, ''],
    ['one with an addition', { authorization: `OAuth ${text}A` }, ''],
    ['one twice', { authorization: `OAuth ${text}${text}` }, ''],
    ['two', { authorization: `OAuth ${text} ${text}` }, ''],
    ['one in other letters', { authorization: `OAuth ${text.toUpperCase()}` }, ''],
    ['one in quotes', { authorization: `OAuth "${text}"` }, ''],
    ['one without a scheme', { authorization: text }, ''],
    ['another scheme', { authorization: `Basic ${text}` }, ''],
    ['a scheme with an addition', { authorization: `OAuth2 ${text}` }, ''],
    ['its hash', { authorization: `OAuth ${createHash('sha256').update(text).digest('hex')}` }, ''],
    ['its line of the configuration', { authorization: `OAuth ${WRITER.line}` }, ''],
    ['its name', { authorization: 'OAuth writer' }, ''],
    ['ten thousand characters', { authorization: `OAuth ${'a'.repeat(10_000)}` }, ''],
    ['one in a cookie', { cookie: `api_key=${text}` }, ''],
    ['one in another header', { 'x-api-key': text }, ''],
    ['a cut one in the query', {}, api(text.slice(1))],
    ['an empty one in the query', {}, api('')],
    ['a list in the query', {}, `?api_key[]=${text}`],
    ['a wrong header beside a right query', { authorization: 'OAuth wrong' }, api(text)],
  ])('with %s every write answers 401 before its body is looked at', async (_, headers, query) => {
    for (const call of WRITES) {
      const path = pathOf(call) + query;
      for (const body of ['{}', '{"', 'x'.repeat(LARGEST_BODY + 1)]) {
        const given = { method: call.method, path, headers: { ...headers, ...JSON_TYPE }, body };
        expect(await refused(given, 401)).toEqual(error('Could not authenticate'));
      }
    }
  });

  test('with one that may only read, every write answers 403', async () => {
    const headers = { authorization: `OAuth ${READER.text}`, ...JSON_TYPE };
    for (const call of WRITES) {
      const given = { method: call.method, path: pathOf(call), headers, body: '{}' };
      expect(await refused(given, 403)).toEqual(error('Forbidden'));
    }
  });
});

describe('bodies', () => {
  const nested = (levels: number, open: string, close: string) =>
    `{"incident":{"name":"I","metadata":{"a":${open.repeat(levels)}1${close.repeat(levels)}}}}`;
  const bodies: readonly (readonly [string, Readonly<Record<string, string>>, string | Buffer, number])[] = [
    ['cut JSON', JSON_TYPE, '{"component":{"name":"A"', 400],
    ['two values', JSON_TYPE, '{}{}', 400],
    ['a list', JSON_TYPE, '[{"component":{}}]', 400],
    ['a number', JSON_TYPE, '1', 400],
    ['null', JSON_TYPE, 'null', 400],
    ['bytes that are no text', JSON_TYPE, Buffer.from([0xff, 0xfe, 0x00, 0x7b]), 400],
    ['JSON in UTF-16', JSON_TYPE, Buffer.from('{"component":{"name":"A"}}', 'utf16le'), 400],
    ['a name without quotes', JSON_TYPE, "{component:{'name':1}}", 400],
    ['10 000 nested objects', JSON_TYPE, nested(10_000, '{"a":', '}'), 400],
    ['10 000 nested lists', JSON_TYPE, nested(10_000, '[', ']'), 400],
    ['a form with 10 000 nested names', FORM_TYPE, `incident${'[a]'.repeat(10_000)}=1`, 400],
    ['a form that contradicts itself', FORM_TYPE, 'incident=1&incident[name]=x', 400],
    ['no content type and no JSON', {}, 'component[name]=A', 400],
    ['plain text', { 'content-type': 'text/plain' }, '{"component":{"name":"A"}}', 415],
    ['XML', { 'content-type': 'application/xml' }, '<component><name>A</name></component>', 415],
    ['parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415],
    ['a type that only begins like JSON', { 'content-type': 'application/jsonp' }, '{}', 415],
    ['no type but a name', { 'content-type': 'json' }, '{}', 415],
    ['one byte too many', JSON_TYPE, `"${'x'.repeat(LARGEST_BODY - 1)}"`, 413],
    ['a form that is too long', FORM_TYPE, `component[name]=${'x'.repeat(LARGEST_BODY)}`, 413],
    [
      'a length that is too long',
      { ...JSON_TYPE, 'content-length': String(LARGEST_BODY + 1) },
      Buffer.alloc(LARGEST_BODY + 1, 0x20),
      413,
    ],
    [
      'little that unpacks to much',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(50_000_000, 0x20)),
      413,
    ],
    ['no gzip that is called so', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{"component":{}}', 400],
    ['an unknown packing', { ...JSON_TYPE, 'content-encoding': 'zip' }, '{"component":{}}', 415],
  ];

  test.each(bodies)('%s', async (_, type, body, status) => {
    for (const call of WRITES.filter(({ noun }) => noun !== null)) {
      const headers = { ...AS_WRITER, ...type };
      const answer = await refused({ method: call.method, path: pathOf(call), headers, body }, status);
      const text = {
        400: 'Invalid request body',
        413: 'Request body too large',
        415: 'Unsupported media type',
      };
      expect(answer).toEqual(error(text[status as keyof typeof text]));
    }
  });

  test('members that are no members, and lists where one thing belongs', async () => {
    for (const call of WRITES) {
      if (call.noun === null) continue;
      for (const members of ['x', 7, [], [{}], true]) {
        const body = JSON.stringify({ [call.noun]: members });
        const headers = { ...AS_WRITER, ...JSON_TYPE };
        expect(await refused({ method: call.method, path: pathOf(call), headers, body }, 400)).toEqual(
          error('Invalid request body'),
        );
      }
    }
  });
});

/** Segments of a path that name nothing, as they are sent. */
const ODD_IDS = [
  UNKNOWN_ID,
  'x',
  'X'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(2000),
  '__proto__',
  'constructor',
  'null',
  '-1',
  '%00',
  '%0d%0aSet-Cookie:a=b',
  '%20',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..',
  "'%20OR%201=1--",
  '%22%3E%3Cscript%3E',
  '%F0%9F%92%A5',
  '%ff%fe',
  '%zz',
  '%',
  '*',
  '~',
  '{id}',
  ':id',
  '.json',
  'x.json.json',
  '%2E%2E%2E',
];

describe('ids', () => {
  test.each(ODD_IDS)('%j names nothing, in every call and place', async (odd) => {
    for (const call of MANAGE_CALLS) {
      const names = (['pageId', 'id', 'updateId'] as const).filter((name) =>
        call.template.includes(`{${name}}`),
      );
      for (const name of names) {
        const given = { method: call.method, path: pathOf(call, { [name]: odd }) };
        const body = call.method === 'GET' ? {} : { body: '{}' };
        const headers = { ...AS_WRITER, ...(call.method === 'GET' ? {} : JSON_TYPE) };
        const answer = (await refused({ ...given, headers, ...body }, 404)) as { error: string };
        expect(answer.error).toMatch(/^(?:[A-Z][a-z ]+ n|N)ot found$/);
      }
    }
  });

  test('of another kind of thing name nothing either', async () => {
    const [component = ''] = busy.componentIds;
    for (const path of [
      `components/${busy.openIncidentId}`,
      `incidents/${component}`,
      `component-groups/${component}`,
    ]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { body: '{}' } : {};
        const headers = { ...AS_WRITER, ...(method === 'PATCH' ? JSON_TYPE : {}) };
        await refused({ method, path: `/v1/pages/${page}/${path}`, headers, ...body }, 404);
      }
    }
  });
});

describe('methods and queries', () => {
  test.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'M-SEARCH', 'REPORT'])(
    '%s is for no path',
    async (method) => {
      for (const path of [
        '/api/v2/summary.json',
        '/status',
        '/v1/pages',
        `/v1/pages/${page}/components`,
        '/i/x',
      ]) {
        await refused({ method, path, headers: AS_WRITER }, 404, 405);
      }
    },
  );

  test.each([
    'a='.repeat(3000),
    `q=${'x'.repeat(8000)}`,
    Array.from({ length: 2000 }, (_, index) => `k${index}`).join('&'),
    'q[]=1&q[a]=2&q=3',
    'q=%zz%&%=&=&&&',
    '__proto__[x]=1&constructor=1',
    '?&?&?',
    `page=1&${'%00'.repeat(1000)}`,
  ])('reads ignore or refuse the query %.40s', async (query) => {
    for (const call of MANAGE_CALLS.filter(({ method }) => method === 'GET')) {
      clock.advance(1000);
      const path = `${pathOf(call)}?${query}`;
      const { status, body } = await sendRaw(server.url, { method: 'GET', path, headers: AS_WRITER });
      // The postmortem of the open incident is not written.
      expect([200, 404, 422], body.toString()).toContain(status);
    }
  });

  test('a request line beyond every limit is refused', async () => {
    await refused({ method: 'GET', path: `/v1/pages?${'x'.repeat(20_000)}`, headers: AS_WRITER }, 431);
  });
});

describe('values that cannot be', () => {
  const [long, deep] = ['x'.repeat(256), 'x'.repeat(25_001)];
  test.each<[string, string, string, Readonly<Record<string, unknown>>]>([
    ['POST', 'components', 'component', {}],
    ['POST', 'components', 'component', { name: ' \u00a0\t' }],
    ['POST', 'components', 'component', { name: long }],
    ['POST', 'components', 'component', { name: {} }],
    ['POST', 'components', 'component', { name: 'A', status: '<script>' }],
    ['POST', 'components', 'component', { name: 'A', group_id: '__proto__' }],
    ['POST', 'components', 'component', { name: 'A', start_date: '2026-02-30' }],
    ['POST', 'component-groups', 'component_group', { name: 'G', components: ['__proto__'] }],
    ['POST', 'component-groups', 'component_group', { name: 'G', components: [] }],
    ['POST', 'incidents', 'incident', { name: 'I', body: deep }],
    ['POST', 'incidents', 'incident', { name: 'I', status: 'constructor' }],
    ['POST', 'incidents', 'incident', { name: 'I', components: { constructor: 'major_outage' } }],
    ['POST', 'incidents', 'incident', { name: 'I', scheduled_for: '2026-13-01T00:00:00Z' }],
    ['POST', 'incidents', 'incident', { name: 'I', impact_override: 'toString' }],
    ['PATCH', '', 'page', { url: 'javascript:alert(1)' }],
    ['PATCH', '', 'page', { time_zone: '../../etc/passwd' }],
    ['PATCH', '', 'page', { support_url: 'data:text/html,x' }],
  ])('%s %s %s %j', async (method, path, noun, members) => {
    const answer = await refused(
      {
        method,
        path: `/v1/pages/${page}/${path}`,
        headers: { ...AS_WRITER, ...JSON_TYPE },
        body: JSON.stringify({ [noun]: members }),
      },
      422,
    );
    const { error: texts, message } = answer as { error: readonly string[]; message: string };
    expect(texts.length).toBeGreaterThan(0);
    expect(message).toBe(texts.join(', '));
  });
});

describe('public paths', () => {
  test.each(ODD_IDS)('with %j in them are not found', async (odd) => {
    for (const path of [
      `/api/v2/${odd}`,
      `/api/v2/components/${odd}`,
      `/api/v2/components/${odd}.json`,
      `/api/v2/incidents/${odd}`,
      `/api/v2/incidents/${odd}.json`,
    ]) {
      for (const method of ['GET', 'HEAD']) await refused({ method, path }, 404);
    }
  });

  /** Both listeners, visitors and programs; a page of HTML or an error in JSON. */
  async function refusedPage(path: string, ...statuses: readonly number[]): Promise<void> {
    const before = statusDump(server.databaseUrl);
    const places = [
      [server.url, path],
      [own.url, path.replace(/^\/status/, '')],
    ] as const;
    for (const [base, place] of places) {
      for (const accept of ['text/html', '*/*', 'text/plain', 'application/json']) {
        const { status, body } = await sendRaw(base, { method: 'GET', path: place, headers: { accept } });
        const text = body.toString();
        expect(statuses, `${place.slice(0, 100)} ${accept} ${text.slice(0, 200)}`).toContain(status);
        expect(text).not.toMatch(/<script|onerror=|Set-Cookie/i);
      }
    }
    expect(statusDump(server.databaseUrl)).toBe(before);
  }

  test.each(ODD_IDS)('of pages with %j in them are not found or bad', async (odd) => {
    for (const path of [`/status/incidents/${odd}`, `/status/incidents/${odd}.json`, `/i/${odd}`]) {
      await refusedPage(path, 404);
    }
    // A fragment of a query may end the parameter before it begins.
    for (const name of ['component', 'page']) await refusedPage(`/status/uptime?${name}=${odd}`, 400, 404);
    await refusedPage(`/status/history?page=${odd}`, 400, 404);
  });

  test.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '9007199254740993',
    '9'.repeat(400),
    '1&page=2',
    '%3Cscript%3E',
  ])('of lists with the number %s are not found or bad', async (number) => {
    for (const list of ['history', 'uptime']) await refusedPage(`/status/${list}?page=${number}`, 400, 404);
  });

  test.each([2, 100, 25_000, 1_000_000_000])(
    'of the list of incidents answer to the number %i',
    async (number) => {
      const path = `/status/history?page=${number}`;
      const { status } = await sendRaw(server.url, { method: 'GET', path, headers: { accept: 'text/html' } });
      expect([200, 404]).toContain(status);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('take no %s', async (method) => {
    const paths = [
      '',
      '/history',
      '/uptime',
      '/history.rss',
      '/history.atom',
      '/page.css',
      `/incidents/${busy.openIncidentId}`,
    ];
    for (const path of paths) {
      const headers = { ...AS_WRITER, ...JSON_TYPE };
      await refused({ method, path: `/status${path}`, headers, body: '{"' }, 404, 405);
    }
  });
});

describe('script in names and texts', () => {
  const write = async (path: string, noun: string, members: object) => {
    const { status, body } = await sendRaw(server.url, {
      method: path === '' ? 'PATCH' : 'POST',
      path: `/v1/pages/${page}${path}`,
      headers: { ...AS_WRITER, ...JSON_TYPE },
      body: JSON.stringify({ [noun]: members }),
    });
    expect([200, 201], body.toString()).toContain(status);
    return JSON.parse(body.toString()) as { id: string };
  };
  const read = async (path: string) => {
    const { status, headers, body } = await sendRaw(server.url, { method: 'GET', path });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    return JSON.parse(body.toString());
  };

  test.each(HOSTILE_TEXTS)(
    '%j stands in JSON as it was written, and is escaped on pages and in feeds',
    async (text) => {
      clock.advance(1000);
      await write('', 'page', { name: text, page_description: text });
      const { id } = await write('/components', 'component', { name: text, description: text });
      const group = await write('/component-groups', 'component_group', {
        name: text,
        description: text,
        components: [id],
      });
      const members = { name: text, body: text, components: { [id]: 'partial_outage' } };
      const incident = await write('/incidents', 'incident', members);

      const summary = await read('/api/v2/summary.json');
      expect(summary.page.name).toBe(text);
      for (const made of [id, group.id]) {
        const shown = { name: text, description: text };
        expect(summary.components.find((component: { id: string }) => component.id === made)).toMatchObject(
          shown,
        );
      }
      for (const path of [
        '/status',
        '/status/history',
        '/status/uptime',
        `/status/incidents/${incident.id}`,
        '/status/history.rss',
        '/status/history.atom',
      ]) {
        const { status, body } = await sendRaw(server.url, {
          method: 'GET',
          path,
          headers: { accept: 'text/html' },
        });
        expect(status, path).toBe(200);
        const unsafe = body
          .toString()
          .match(
            /<(?:script|img|iframe|style)|<(?:meta|link)[^>]*(?:example|refresh)|<\w[^>]*\son\w+=|href="?(?:javascript|data:text)/gi,
          );
        expect(unsafe, path).toBeNull();
      }
      const shown = await read(`/api/v2/incidents/${incident.id}.json`);
      expect(shown.incident).toMatchObject({
        name: text,
        incident_updates: [{ body: text, affected_components: [{ name: `${text} - ${text}` }] }],
      });
    },
  );
});
