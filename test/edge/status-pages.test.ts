import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The pages for people over real sockets, on both listeners. @see contracts/status.md section 10 */
let server: TestServer;
let own: StatusListener;

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

beforeAll(async () => {
  server = await startTestServer({ env: { STATUS_URL: 'https://status.example.org/state' } });
  own = await startStatusListener(server);
});

afterAll(async () => {
  await own.close();
  await server.close();
});

describe.each([
  ['the shared listener', () => `${server.url}/status`, '/status'],
  ['the listener of its own', () => own.url, '/state'],
] as const)('on %s', (_, urlOf, base) => {
  test.each(['', '/', '/history', '/HISTORY/', '/uptime', '/uptime/'])('%s is a page', async (path) => {
    const url = `${urlOf()}${path}`;
    const get = await fetch(url, { headers: BROWSER });
    expect([get.status, get.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await get.text()).toContain(`href="${base}/history"`);
    const held = { ...BROWSER, 'if-none-match': String(get.headers.get('etag')) };
    expect((await fetch(url, { headers: held })).status).toBe(304);
    const head = await fetch(url, { method: 'HEAD', headers: BROWSER });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('what is not there is a page for people and JSON for programs', async () => {
    for (const path of ['/incidents/nobody', '/history?page=99', '/uptime?component=nobody']) {
      const page = await fetch(urlOf() + path, { headers: BROWSER });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(`href="${base}/"`);
      const other = await fetch(urlOf() + path);
      expect([other.status, await other.json()]).toEqual([404, { error: 'Not found' }]);
    }
  });

  test('only reading is allowed', async () => {
    const answer = await fetch(`${urlOf()}/history`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('the landing page leads to a summary that this server answers, wherever the page for people is', async () => {
  const { links } = (await (await fetch(server.url)).json()) as { links: { href: string; title: string }[] };
  const link = links.find(({ title }) => title === 'Status summary')?.href ?? '';
  // The public address of a test server is not the one that it got.
  const { hostname, pathname } = new URL(link);
  expect([hostname, (await fetch(server.url + pathname)).status]).toEqual(['127.0.0.1', 200]);
});

test('the root of the shared listener stays the landing page', async () => {
  const page = await (await fetch(server.url, { headers: BROWSER })).text();
  expect(page).toContain('API documentation');
  expect(page).toContain('href="https://status.example.org/state"');
});
