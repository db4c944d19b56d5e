import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppOptions, type AppParts, buildApp } from '../../src/app.ts';
import type { Area } from '../../src/http/area.ts';
import { listen } from '../../src/http/edge/listeners.ts';
import { REQUEST_SECONDS } from '../../src/http/metrics.ts';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-http.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** An announced body, even of no bytes, sends a request through the router; without it, it is answered directly. */
const THROUGH_ROUTER = { 'content-length': '0' };

/** What is ready somewhere: each is answered past the router when a GET asks for it plainly. */
const READY = [
  '/health/liveness',
  '/health/readiness',
  '/api/v2/summary.json',
  '/api/v1/transactions',
  '/api/v1/blocks',
  '/api/v1/tokens',
  '/api/v1/network/nodes',
  '/api/v1/network/registered-nodes',
  '/api/v1/schedules',
];

let server: TestServer;
let parts: AppParts;
/** Answers of the areas that were ready. */
let ready = 0;
let listening: Awaited<ReturnType<typeof listenWith>>;
beforeAll(async () => {
  // It stands still: what is kept is looked after once a second.
  server = await startTestServer({
    clock: { now: () => Date.parse('2026-01-02T03:04:05Z') },
  });
  const { mirror, status } = server.services;
  parts = { ...server.services, mirror: countingReady(mirror), status: countingReady(status) };
  listening = await listenWith({}, {});
});
afterAll(async () => {
  await listening.close();
  await server.close();
});

/** An application on the data of the server. */
async function listenWith(other: Partial<AppParts>, options: AppOptions) {
  const app = await buildApp({ ...parts, metrics: new Registry(), ...other }, options);
  const { close, ports } = await listen(app, { host: '127.0.0.1', ports: [0] });
  return { url: `http://127.0.0.1:${ports[0]}`, close };
}

function countingReady(area: Area): Area {
  return {
    ...area,
    answerDirectly: (...asked) => {
      const answer = area.answerDirectly?.(...asked) ?? null;
      if (answer !== null) ready += 1;
      return answer;
    },
  };
}

type Asked = Omit<RawRequest, 'method'> & { readonly method?: string };

/** The same request through the router, which makes what is kept for a while, and past it. */
async function onBothPaths(url: string, { headers = {}, ...request }: Asked) {
  const asked = { method: 'GET', ...request };
  const routed = await sendRaw(url, { ...asked, headers: { ...headers, ...THROUGH_ROUTER } });
  const before = ready;
  const direct = await sendRaw(url, { ...asked, headers });
  // Those of health belong to no area; a refusal is decided before.
  const isReady = !/^\/health\//.test(request.path) && direct.status !== 429;
  expect(ready - before, 'answers past the router').toBe(isReady ? 1 : 0);
  return { direct, routed };
}

/** What has to be equal: all but the time of the answer and an id that was made for the request. */
function comparable({ body, headers, status }: RawAnswer) {
  const { date: _date, 'x-request-id': _id, ...kept } = headers;
  return { status, headers: kept, body: body.toString() };
}

/** How many successful GET requests of a route were counted. */
async function counted(url: string, route: string): Promise<number> {
  const text = (await sendRaw(url, { method: 'GET', path: '/metrics' })).body.toString();
  const series = [...text.matchAll(new RegExp(`^${REQUEST_SECONDS}_count\\{(.*)\\} (\\d+)$`, 'gm'))].filter(
    ([, labels = '']) =>
      ['method="GET"', `route="${route}"`, 'status="200"'].every((one) => labels.includes(one)),
  );
  expect(series.length).toBeLessThan(2);
  return Number(series[0]?.[2] ?? 0);
}

/** Does something with an application of other settings. */
async function onApp<T>(
  other: Partial<AppParts>,
  options: AppOptions,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { close, url } = await listenWith(other, options);
  try {
    return await work(url);
  } finally {
    await close();
  }
}

describe.each(READY)('the duties of an answer to GET %s, directly and through the router', (path) => {
  test('every header and byte is the same', async () => {
    const { url } = listening;
    const { direct, routed } = await onBothPaths(url, { path });
    expect(comparable(direct)).toEqual(comparable(routed));
    expect(direct.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-length': String(direct.body.length),
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('the id of the request is sent back, and made when there is none', async () => {
    const { url } = listening;
    const id = 'abc.def:1';
    const given = await onBothPaths(url, { path, headers: { 'x-request-id': id } });
    const made = await onBothPaths(url, { path });
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traced = await onBothPaths(url, {
      path,
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    });
    for (const way of ['direct', 'routed'] as const) {
      expect(given[way].headers['x-request-id']).toBe(id);
      expect(traced[way].headers['x-request-id']).toBe(trace);
      expect(made[way].headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('a request is counted once, under the same labels', async () => {
    const { url } = listening;
    const before = await counted(url, path);
    const { direct } = await onBothPaths(url, { path });
    expect(direct.status).toBe(200);
    expect(await counted(url, path)).toBe(before + 2);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { url } = listening;
    const { direct } = await onBothPaths(url, { path });
    const head = await sendRaw(url, { method: 'HEAD', path });
    expect(head.body).toHaveLength(0);
    expect({ ...comparable(head), body: '' }).toEqual({ ...comparable(direct), body: '' });
  });
});

describe('a client that has the newest answer', () => {
  test('gets 304 with the same headers, and the answer when it has another', async () => {
    const { url } = listening;
    const path = '/api/v2/summary.json';
    const etag = String((await sendRaw(url, { method: 'GET', path })).headers['etag']);
    const { direct, routed } = await onBothPaths(url, { path, headers: { 'if-none-match': etag } });
    expect(direct.status).toBe(304);
    expect(comparable(direct)).toEqual(comparable(routed));
    const other = await onBothPaths(url, { path, headers: { 'if-none-match': '"other"' } });
    expect(other.direct.status).toBe(200);
    expect(comparable(other.direct)).toEqual(comparable(other.routed));
  });
});

describe('a server that is told to stop', () => {
  test.each(READY)('says so in the answer to GET %s, which is given all the same', async (path) => {
    const { direct, routed } = await onApp({ drain: { isDraining: true } }, {}, (url) =>
      onBothPaths(url, { path }),
    );
    expect(direct.status).toBe(path === '/health/readiness' ? 503 : 200);
    expect(direct.headers['connection']).toBe('close');
    expect(comparable(direct)).toEqual(comparable(routed));
  });
});

describe('a client that asks for more than it may', () => {
  // Health checks are not counted.
  test.each(READY.slice(2))('is refused at GET %s by either', async (path) => {
    await onApp({}, { requestsPerSecond: 1 / 5000 }, async (url) => {
      const { direct } = await onBothPaths(url, { path });
      expect(direct.status).toBe(200);
      let burst = 2;
      while ((await sendRaw(url, { method: 'GET', path })).status === 200) burst += 1;
      expect(burst).toBe(40);
      const refused = await onBothPaths(url, { path });
      expect(refused.direct.status).toBe(429);
      // A second may pass between the two.
      const [direct429, routed429] = [refused.direct, refused.routed].map((answer) =>
        JSON.stringify(comparable(answer)).replace(/(?<= in |"retry-after":")\d{4}/g, 'soon'),
      );
      expect(direct429).toBe(routed429);
      expect(direct429).toContain('"retry-after":"soon"');
    });
  });
});

describe('a server that logs requests', () => {
  test.each(READY)('logs GET %s however it is asked for', async (path) => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const headers = { 'x-request-id': 'seen' };
    await onApp({ log }, {}, async (url) => {
      await sendRaw(url, { method: 'GET', path, headers });
      await sendRaw(url, { method: 'GET', path, headers: { ...headers, ...THROUGH_ROUTER } });
    });
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(logged.map(({ method, reqId, statusCode, url }) => [method, reqId, statusCode, url])).toEqual([
      ['GET', 'seen', 200, path],
      ['GET', 'seen', 200, path],
    ]);
  });
});
