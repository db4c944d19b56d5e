import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT_ROUTES } from '../../src/status/routes.ts';
import { ManualClock } from '../../src/values/clock.ts';
import { createBusyStatusPage } from '../kit/status/busy-page.ts';
import { type RawAnswer, sendRaw } from '../support/raw-http.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The public documents as they leave the whole server. @see contracts/status.md section 2, HTTP */
let server: TestServer;
/** Two seconds before New York sets its clocks forward. */
const clock = new ManualClock(Date.parse('2026-03-08T06:59:58.000Z'));

beforeAll(async () => {
  server = await startTestServer({ env: { STATUS_TIME_ZONE: 'America/New_York' }, clock });
  await createBusyStatusPage(server.services.status);
  clock.advance(4_000);
});

afterAll(() => server.close());

/** Over a plain socket: fetch would decompress the body and hide headers. */
function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return sendRaw(server.url, { method, path, headers });
}

const GZIP = { 'accept-encoding': 'gzip' };

describe.each(Object.keys(DOCUMENT_ROUTES))('GET %s', (path) => {
  test('is the same document plain and compressed, with a length', async () => {
    const plain = await ask('GET', path);
    const other = await ask('GET', path, GZIP);
    for (const { status, headers, body } of [plain, other]) {
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
        vary: 'Accept-Encoding',
        etag: expect.stringMatching(/^"[^"]+"$/),
        'last-modified': expect.stringMatching(/ GMT$/),
      });
    }
    const isLong = plain.body.length >= 1024;
    expect(other.headers['content-encoding']).toBe(isLong ? 'gzip' : undefined);
    const unpacked = isLong ? gunzipSync(other.body) : other.body;
    expect(unpacked.equals(plain.body)).toBe(true);
    expect(Object.keys(JSON.parse(plain.body.toString()))[0]).toBe('page');
  });

  test.each([
    ['plain', {}],
    ['compressed', GZIP],
  ])('HEAD and conditional requests agree with it, %s', async (_, headers) => {
    const get = await ask('GET', path, headers);
    const head = await ask('HEAD', path, headers);
    const comparable = ({ headers: all }: RawAnswer) => ({ ...all, date: '', 'x-request-id': '' });
    expect(head.status).toBe(200);
    expect(comparable(head)).toEqual(comparable(get));

    const condition = { ...headers, 'if-none-match': `"other", W/${get.headers.etag}` };
    for (const method of ['GET', 'HEAD']) {
      const unchanged = await ask(method, path, condition);
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
      for (const header of ['etag', 'vary', 'cache-control', 'last-modified', 'access-control-allow-origin'])
        expect(unchanged.headers[header]).toBe(get.headers[header]);
    }
  });

  test('ignores the query, takes a trailing slash, refuses other methods', async () => {
    const { body } = await ask('GET', path);
    for (const variant of [`${path}?limit=x&page[]=%zz&callback=f`, `${path}/`]) {
      const answer = await ask('GET', variant);
      expect(answer.status, variant).toBe(200);
      expect(answer.body.equals(body)).toBe(true);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await ask(method, path);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(JSON.parse(answer.body.toString())).toEqual({ error: 'Method not allowed' });
    }
  });
});

describe('paths that are no document', () => {
  test.each(['/api/v2', '/api/v2/summary', '/api/v2/incidents/1234567890bc', '/api/v2/%zz'])(
    'GET %s is not found, and no cache keeps that',
    async (path) => {
      const answer = await ask('GET', path);
      expect([answer.status, answer.body.toString()]).toEqual([404, '{"error":"Not found"}']);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
      });
      expect(answer.headers['cache-control']).toBeUndefined();
    },
  );
});

describe('times of the page', () => {
  test('carry the offset of their own instant, also across a change of the clocks', async () => {
    const read = async () =>
      JSON.parse((await ask('GET', '/api/v2/incidents/unresolved.json')).body.toString());
    const before = await read();
    const [incident] = before.incidents;
    expect(before.page).toMatchObject({
      time_zone: 'America/New_York',
      updated_at: '2026-03-08T01:59:58.000-05:00',
    });

    await server.services.status.service.updateIncident(incident.id, { body: 'Nearly done.' });
    const after = await read();
    expect(after.page.updated_at).toBe('2026-03-08T03:00:02.000-04:00');
    expect(after.incidents[0]).toMatchObject({
      created_at: '2026-03-08T01:59:58.000-05:00',
      updated_at: '2026-03-08T03:00:02.000-04:00',
    });
    expect(after.incidents[0].incident_updates[0].display_at).toBe('2026-03-08T03:00:02.000-04:00');
    const { headers } = await ask('GET', '/api/v2/status.json');
    expect(headers['last-modified']).toBe('Sun, 08 Mar 2026 07:00:02 GMT');
  });
});
