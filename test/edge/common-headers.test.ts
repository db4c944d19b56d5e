import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { listen } from '../../src/http/edge/listeners.ts';
import { connectTo, type WireAnswer } from '../support/http-connection.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { usesPostgres } from '../support/tested-backend.ts';

/** What every answer has, whichever way it took: past the router, through it, or refused before it. */
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ stubChain: '31337' });
});

afterAll(() => server.close());

async function ask(url: string, request: string, ...headers: string[]): Promise<WireAnswer> {
  const connection = await connectTo(url);
  connection.send([`${request} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  const answer = await connection.answer({ isToHead: request.startsWith('HEAD') });
  connection.destroy();
  if (answer === null) throw new Error('closed without an answer');
  return answer;
}

const HOST = 'Host: a';
const OF_VERIFY = 'customCode';
const OF_STATUS = 'error';
const OF_MIRROR = '_status';

const WAYS: Readonly<Record<string, { status: number; request: string; headers?: string[] }>> = {
  'directly: a list': { status: 200, request: 'GET /api/v1/transactions' },
  'directly: a document': { status: 200, request: 'GET /api/v2/summary.json' },
  'directly: a 304': { status: 304, request: 'GET /api/v2/summary.json', headers: ['If-None-Match: *'] },
  'directly: liveness': { status: 200, request: 'GET /health/liveness' },
  'directly: readiness': { status: 200, request: 'GET /health/readiness' },
  'by the router: liveness': { status: 200, request: 'HEAD /health/liveness' },
  'by the router: a list': {
    status: 200,
    request: 'GET /api/v1/transactions',
    headers: ['Accept-Encoding: gzip'],
  },
  'by the router: JSON': { status: 200, request: 'GET /chains' },
  'by the router: a page': { status: 200, request: 'GET /status' },
  'by the router: a refusal': { status: 400, request: 'GET /api/v1/transactions?limit=0' },
  'by the router: an unknown path': { status: 404, request: 'GET /nowhere' },
  'not even routed': { status: 400, request: 'GET /v2/%E0%A4%A' },
};

test.each([
  ['/docs/openapi/all.json'],
  ['/api/v1/docs/openapi.yml'],
  ['/docs'],
  ['/status'],
  ['/api/v2/summary.json'],
  ['/chains'],
])('HEAD %s names no other length than GET', async (path) => {
  for (const packing of [
    'Accept-Encoding: gzip',
    'Accept-Encoding: GZIP',
    'Accept-Encoding: identity',
    'X-None: 1',
  ]) {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map(async (method) =>
        Object.fromEntries((await ask(server.url, `${method} ${path}`, HOST, packing)).headers),
      ),
    );
    expect([undefined, get?.['content-length']], packing).toContain(head?.['content-length']);
    if (get?.['content-encoding'] !== undefined) expect(head).toHaveProperty('vary');
    else expect(head?.['content-length'], packing).toBe(get?.['content-length']);
  }
});

describe.each(Object.entries(WAYS))('%s', (_way, { headers: more = [], request, status }) => {
  const headers = [HOST, ...more];
  test('is read by pages of any origin, guessed by nobody, and has an id', async () => {
    const answer = await ask(server.url, request, ...headers, 'X-Request-Id: mine-1');
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'mine-1',
    });
  });

  test('closes its connection while the server drains', async () => {
    const draining = { ...server.services, drain: { isDraining: true } };
    const app = await buildApp({ ...draining, site: server.services.site });
    const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
    const answer = await ask(`http://127.0.0.1:${listeners.ports[0]}`, request, ...headers);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.status).toBe(request.includes('readiness') ? 503 : status);
    await listeners.close();
  });
});

test.each([
  ['two hosts', 400, ['Host: a', 'host: b']],
  ['no host', 400, []],
  ['an expectation that nobody meets', 417, ['Host: a', 'Expect: miracles']],
] as const)('%s is refused in the form of each area, on every port', async (_what, status, headers) => {
  const app = await buildApp(server.services);
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0, 0] });
  const urls = [server.url, `http://127.0.0.1:${listeners.ports[1]}`];
  for (const url of urls) {
    for (const [path, form] of [
      ['/chains', OF_VERIFY],
      ['/api/v2/summary.json', OF_STATUS],
      ['/v1/pages', OF_STATUS],
      ['/api/v1/transactions', OF_MIRROR],
      ['/health/liveness', OF_VERIFY],
    ] as const) {
      const answer = await ask(url, `GET ${path}`, ...headers);
      expect([answer.status, Object.keys(JSON.parse(answer.body) as object)[0]]).toEqual([status, form]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.body).toContain(status === 417 ? '100-continue' : 'Host');
    }
  }
  await listeners.close();
});

test('HTTP/1.0 needs no host', async () => {
  const connection = await connectTo(server.url);
  connection.send('GET /chains HTTP/1.0\r\n\r\n');
  expect((await connection.answer())?.status).toBe(200);
  connection.destroy();
});

test('a client beyond its limit is told to come back, in the form of each area', async () => {
  const app = await buildApp(server.services, { requestsPerSecond: 1, trustProxy: 1 });
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
  const url = `http://127.0.0.1:${listeners.ports[0]}`;
  for (const [path, form, address] of [
    ['/chains', OF_VERIFY, '10.0.0.1'],
    ['/v1/pages', OF_STATUS, '10.0.0.2'],
    ['/api/v2/summary.json', OF_STATUS, '10.0.0.3'],
    ['/api/v1/transactions', OF_MIRROR, '10.0.0.4'],
  ] as const) {
    const from = `X-Forwarded-For: ${address}`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(url, `GET ${path}`, HOST, from)));
    const refused = answers.find(({ status }) => status === 429);
    expect(Object.keys(JSON.parse(refused?.body ?? '{}') as object)[0]).toBe(form);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(answers.filter(({ status }) => status !== 429).length).toBeGreaterThanOrEqual(40);
    expect((await ask(url, 'GET /health/readiness', HOST, from)).status).toBe(200);
  }
  await listeners.close();
});

test('many requests sent at once on one connection are all answered, in order', async () => {
  const connection = await connectTo(server.url);
  // More than a thousand that wait for a connection to PostgreSQL are refused.
  const paths = Array.from(
    { length: usesPostgres() ? 900 : 3000 },
    (_, index) => `/api/v1/transactions?limit=${(index % 100) + 1}`,
  );
  connection.send(paths.map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`).join(''));
  for (const _ of paths) expect((await connection.answer())?.status).toBe(200);
  connection.destroy();
});
