import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** What a request says of itself is believed by no page, link, feed or redirect, and never shown as markup. */
const EVIL = 'evil.example';
const ADDRESS = `0x${'1'.repeat(40)}`;
const BROWSER = { accept: 'text/html,application/xhtml+xml' };
const PATHS = [
  '/',
  '/docs/',
  '/docs/openapi.json',
  '/status',
  '/status/history',
  '/status/uptime',
  '/status/embed',
  '/status/badge.svg',
  '/status/history.rss',
  '/status/history.atom',
  '/status/unsubscribe/a/b',
  '/api/v2/summary.json',
  '/api/v2/incidents.json',
  '/api/v1/transactions?limit=1',
  '/api/v1/blocks?limit=1',
  '/ledger',
  '/ledger/search?q=0.0.2',
  '/ledger/network',
  '/ledger/fees',
  '/repo-ui',
  `/repo-ui/1/${ADDRESS}`,
  '/verify-ui',
  '/verify-ui/compilers',
  `/v2/contract/1/${ADDRESS}`,
  '/version',
  '/health/readiness',
  '/nothing/here',
] as const;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ stubChain: '1', background: false });
});
afterAll(() => server.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendRaw(server.url, { method: 'GET', path, headers: { ...BROWSER, ...headers } });

/** What could run, load or lead away outside the values of attributes, or as one; null when there is nothing. */
const unsafe = (html: string) =>
  /(?:href|src|action)="?(?:javascript|data:text)/i.exec(html) ??
  /<(?:script>|img src=x|iframe|style>|svg onload)|<meta http-equiv=refresh|<\w[^<>]*\son\w+=/i.exec(
    html.replace(/="[^"]*"/g, '=""'),
  );

describe.each<[string, Readonly<Record<string, string>>]>([
  ['Host', { host: EVIL }],
  ['Host with a port and a user', { host: `a@${EVIL}:81` }],
  ['Host with markup', { host: `"><script>ran()</script>.${EVIL}` }],
  ['X-Forwarded-Host', { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'javascript' }],
  ['Forwarded', { forwarded: `host=${EVIL};proto=https` }],
  [
    'paths for proxies',
    { 'x-original-url': `//${EVIL}/`, 'x-rewrite-url': `//${EVIL}/`, 'x-forwarded-prefix': `//${EVIL}` },
  ],
  ['Origin and Referer', { origin: `https://${EVIL}`, referer: `https://${EVIL}/"><script>ran()</script>` }],
])('%s of a stranger', (_, headers) => {
  test.each(PATHS)('is not in the answer of %s', async (path) => {
    const usual = await get(path);
    const answer = await get(path, headers);
    expect(answer.status).toBe(usual.status);
    expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toContain(EVIL);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test('an absolute target of another host is the path of this one', async () => {
  for (const path of ['/status', '/', '/repo-ui', '/api/v2/summary.json']) {
    const answer = await get(`http://${EVIL}${path}`);
    expect(answer.status, path).toBe((await get(path)).status);
    expect(`${JSON.stringify(answer.headers)}${answer.body}`, path).not.toContain(EVIL);
  }
});

test('no path leads to another site, and none writes a header', async () => {
  const away = [
    `/${EVIL}`,
    `/\\${EVIL}`,
    `/%2f${EVIL}`,
    `/%5c${EVIL}`,
    `/${EVIL}/..`,
    `/.${EVIL}`,
    `/https:${EVIL}`,
  ];
  const split = ['/%0d%0aset-cookie:a=b', '/%E5%98%8D%E5%98%8Aset-cookie:a=b', '?x=%0d%0aset-cookie:a=b'];
  for (const start of [
    '',
    '/status',
    '/repo-ui',
    '/repo-ui/1',
    '/verify-ui',
    '/ledger',
    '/docs',
    '/i',
    '/contracts/full_match/1',
  ]) {
    for (const path of [...away, ...split].map((end) => start + end)) {
      for (const each of [path, `${path}/`]) {
        const { headers, status } = await get(each);
        expect(status, each).toBeLessThan(500);
        const to = new URL(headers.location ?? '/', 'http://here.example');
        expect(to.host, `${each} leads to ${headers.location}`).toBe('here.example');
        expect(headers['set-cookie'], each).toBeUndefined();
      }
    }
  }
});

test('what a path or a query says is text on every page', async () => {
  expect(HOSTILE_TEXTS.slice(0, 5).filter((text) => unsafe(`<p>${text}</p>`) === null)).toEqual([]);
  for (const text of HOSTILE_TEXTS) {
    const said = encodeURIComponent(text);
    for (const path of [
      `/${said}`,
      `/status/${said}`,
      `/status/incidents/${said}`,
      `/status/unsubscribe/${said}/${said}`,
      `/ledger/search?q=${said}`,
      `/ledger?account.id=${said}&from=${said}&limit=${said}`,
      `/ledger/accounts/${said}`,
      `/ledger/tokens/${said}`,
      `/repo-ui?address=${said}&chain=${said}`,
      `/repo-ui/${said}/${said}`,
      `/repo-ui/1/${ADDRESS}?file=${said}`,
      `/verify-ui?address=${said}&chain=${said}&${said}=${said}`,
      `/verify-ui/jobs/${said}`,
      `/docs/${said}`,
    ]) {
      const { body, headers, status } = await get(path);
      expect(status, path).toBeLessThan(500);
      if (!String(headers['content-type']).includes('html')) {
        expect(headers['x-content-type-options'], path).toBe('nosniff');
        continue;
      }
      expect(unsafe(body.toString()), path).toBeNull();
      expect(String(headers['content-security-policy']), path).not.toMatch(
        /unsafe|(?:script-src|default-src)[^;]*\*/,
      );
    }
  }
});

test('a form of another site does nothing that a stranger could not do: nothing here knows its visitor', async () => {
  const headers = {
    ...BROWSER,
    origin: `https://${EVIL}`,
    'sec-fetch-site': 'cross-site',
    cookie: 'session=1; api_key=1',
  };
  for (const [method, path] of [
    ['POST', '/v1/pages/x/incidents'],
    ['PATCH', '/v1/pages/x'],
    ['DELETE', '/v1/pages/x/subscribers/y'],
    ['POST', '/v1/pages/x/subscribers'],
  ] as const) {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await sendRaw(server.url, {
        method,
        path,
        headers: { ...headers, 'content-type': type },
        body: 'a=b',
      });
      expect([method, path, type, answer.status]).toEqual([method, path, type, 401]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  }
});
