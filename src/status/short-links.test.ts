import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBusyStatusPage } from '../../test/kit/status/busy-page.ts';
import { type OpenStatusArea, openStatusArea } from '../../test/kit/status/open-status-area.ts';

let opened: OpenStatusArea;

beforeEach(async () => {
  opened = await openStatusArea();
});

afterEach(() => opened.close());

async function appOf(isOwnListener: boolean) {
  const { area } = opened;
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, body } = area.errors.fromError(error, request);
    return reply.code(statusCode).send(body);
  });
  await app.register(area.routes, { isOwnListener });
  return app;
}

test('a short link leads to the page of its incident or maintenance on the same listener', async () => {
  const { openIncidentId, upcomingId } = await createBusyStatusPage(opened.area);
  for (const [isOwn, path, base] of [
    [false, '/i', '/status'],
    [false, '/status/i', '/status'],
    [true, '/i', ''],
  ] as const) {
    const app = await appOf(isOwn);
    for (const id of [openIncidentId, upcomingId]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers } = await app.inject({ method, url: `${path}/${id}` });
        expect([statusCode, headers.location]).toEqual([302, `${base}/incidents/${id}`]);
        expect(headers['cache-control']).toBe('public, max-age=60');
      }
    }
    await app.close();
  }
});

test('what is no incident has no short link', async () => {
  const { componentIds, openIncidentId } = await createBusyStatusPage(opened.area);
  const app = await appOf(false);
  const paths = [
    componentIds[0],
    'abc',
    'a'.repeat(65),
    'a%2fb',
    'a%0d%0ax',
    `${openIncidentId}.json`,
    "x'--",
  ];
  for (const path of paths) {
    const { statusCode, body, headers } = await app.inject(`/i/${path}`);
    expect([path, statusCode, body]).toEqual([path, 404, '{"error":"Not found"}']);
    expect(headers.location).toBeUndefined();
  }
  await opened.area.service.deleteIncident(openIncidentId);
  expect((await app.inject(`/i/${openIncidentId}`)).statusCode).toBe(404);
  await app.close();
});

test('behind a proxy that serves the product below a path, the path leads the way', async () => {
  await opened.close();
  opened = await openStatusArea({ options: { publicPath: '/ledger', ownPath: '/state' } });
  const { id } = await opened.area.service.createIncident({ name: 'API down' });
  for (const [isOwn, page] of [
    [false, '/ledger/status'],
    [true, '/state'],
  ] as const) {
    const app = await appOf(isOwn);
    expect((await app.inject(`/i/${id}`)).headers.location).toBe(`${page}/incidents/${id}`);
    await app.close();
  }
});
