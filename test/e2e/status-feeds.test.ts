import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusyStatusPage, createBusyStatusPage } from '../kit/status/busy-page.ts';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { parseXml } from '../support/strict-xml.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Feeds and short links as they leave the whole server. @see contracts/status.md section 10 */
let server: TestServer;
let own: StatusListener;
let busy: BusyStatusPage;

beforeAll(async () => {
  server = await startTestServer({ env: { STATUS_URL: 'https://status.example.org' } });
  own = await startStatusListener(server);
  busy = await createBusyStatusPage(server.services.status);
});

afterAll(async () => {
  await own.close();
  await server.close();
});

const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

describe.each(['rss', 'atom'])('the feed history.%s', (format) => {
  test('is readable from any origin and the same wherever it is answered', async () => {
    const bodies = new Set<string>();
    for (const url of [`${server.url}/status`, server.url, own.url]) {
      const response = await ask(`${url}/history.${format}`);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': `application/${format}+xml; charset=utf-8`,
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
        'content-encoding': 'gzip',
        'last-modified': expect.stringMatching(/ GMT$/),
        vary: 'Accept-Encoding',
      });
      const condition = { 'if-none-match': response.headers.get('etag') ?? '' };
      expect((await ask(`${url}/history.${format}`, { headers: condition })).status).toBe(304);
      expect((await ask(`${url}/history.${format}`, { method: 'HEAD' })).status).toBe(200);
      const refused = await ask(`${url}/history.${format}`, { method: 'POST' });
      expect([refused.status, await refused.json()]).toEqual([405, { error: 'Method not allowed' }]);
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
    expect(parseXml([...bodies].join('')).name).toBe(format === 'rss' ? 'rss' : 'feed');
  });
});

describe('a short link', () => {
  test('of an incident leads to a page that answers, on either listener', async () => {
    for (const url of [server.url, `${server.url}/status`, own.url]) {
      const response = await ask(`${url}/i/${busy.openIncidentId}`);
      expect(response.status).toBe(302);
      const location = response.headers.get('location') ?? '';
      expect(location).toBe(`${url === own.url ? '' : '/status'}/incidents/${busy.openIncidentId}`);
      const page = await ask(new URL(location, url).href);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Open incident')]);
    }
  });

  test('of nothing is not found', async () => {
    for (const url of [server.url, `${server.url}/status`, own.url]) {
      for (const id of ['bcdfghjklmnp', 'x'.repeat(2000), '%zz', '%2e%2e%2f']) {
        const response = await ask(`${url}/i/${id}`);
        expect([id, response.status, await response.json()]).toEqual([id, 404, { error: 'Not found' }]);
      }
    }
  });
});
