import { once } from 'node:events';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start, type TestServer } from '../../src/index.ts';
import { freePort } from '../support/serve-process.ts';

const PREFIX = '/lens';
const ADDRESS = `0x${'c0'.repeat(20)}`;

/** A proxy that strips the prefix, and has nothing outside it. */
let proxy: Server;
let server: TestServer;
let origin = '';

beforeAll(async () => {
  const port = await freePort();
  server = await start({
    env: { PUBLIC_URL: `http://127.0.0.1:${port}${PREFIX}` },
    chains: { 31338: { static: { [ADDRESS]: { runtimeBytecode: '0x00' } } } },
    fixture: [1, 2].map((second) => ({
      consensus_timestamp: `170665920${second}.000000000`,
      name: 'CRYPTOTRANSFER',
      result: 'SUCCESS',
      transaction_id: `0.0.1001-170665920${second - 1}-000000000`,
    })),
  });
  proxy = createServer((request, answer) => {
    const path = request.url ?? '';
    if (!path.startsWith(`${PREFIX}/`) && path !== PREFIX) return answer.writeHead(418).end();
    const { headers, method } = request;
    const forwarded = ask(
      `http://127.0.0.1:${server.port}${path.slice(PREFIX.length)}`,
      { method, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      },
    );
    forwarded.on('error', () => answer.destroy());
    return request.pipe(forwarded);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await server?.stop();
});

const get = (url: string, accept = 'text/html') => fetch(url, { headers: { accept } });
const REFERENCE = /(?:href|src|action|data-url)="([^"#]*)[^"]*"/g;

async function referencesOf(page: string): Promise<readonly string[]> {
  const answer = await get(page);
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return [];
  return [...(await answer.text()).matchAll(REFERENCE)]
    .map(([, reference = '']) => new URL(reference.replaceAll('&amp;', '&'), answer.url))
    .filter(({ origin: other, pathname }) => other === origin && pathname !== '')
    .map(({ href }) => href);
}

test('all that pages refer to lies below the path, and answers', async () => {
  const pages = [
    '/',
    '/status',
    '/status/history',
    '/verify-ui',
    '/verify-ui/compilers',
    '/ledger',
    '/ledger/fees',
  ];
  const more = [
    '/ledger/network',
    '/ledger/blocks',
    '/docs/',
    '/docs',
    '/nothing/here',
    `/repo-ui/31338/${ADDRESS}`,
  ];
  const asked = new Map<string, number>();
  for (const page of [...pages, ...more]) {
    const references = await referencesOf(`${origin}${PREFIX}${page}`);
    expect(references.length, page).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference, page).toMatch(new RegExp(`^${origin}${PREFIX}(/|$)`));
      if (!asked.has(reference)) asked.set(reference, (await get(reference)).status);
    }
  }
  expect(asked.size).toBeGreaterThan(20);
  // Two of the pages say that something is not there, and the search has found nothing yet.
  const gone = [...more.slice(-2), '/ledger/search'].map((page) => `${origin}${PREFIX}${page}`);
  expect([...asked].filter(([url, status]) => status >= 400 && !gone.includes(url))).toEqual([]);
});

test.each(['/favicon.ico', '/api/v1/docs', '/docs/static/index.html'])(
  '%s leads to what lies below the path',
  async (path) => {
    const answer = await fetch(origin + PREFIX + path, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')?.startsWith(`${PREFIX}/`)]).toEqual([302, true]);
    expect((await get(origin + PREFIX + path)).status).toBe(200);
  },
);

test.each([[{ 'accept-encoding': 'identity' }], [{ 'accept-encoding': 'gzip' }]])(
  'the header Link leads to the next page, with %j',
  async (headers) => {
    const answer = await fetch(`${origin}${PREFIX}/api/v1/transactions?limit=1`, { headers });
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    expect(next).toMatch(new RegExp(`^${PREFIX}/api/v1/transactions\\?limit=1&timestamp=`));
    expect((await get(new URL(next, answer.url).href, '*/*')).status).toBe(200);
    // The specification fixes the path of the body, which clients append to the address of the server.
    const { links } = (await answer.json()) as { readonly links: { readonly next: string } };
    expect(PREFIX + links.next).toBe(next);
  },
);

test('the documents of /docs are found there, and name the path', async () => {
  const script = await (await get(`${origin}${PREFIX}/docs/static/swagger-initializer.js`, '*/*')).text();
  const urls = [...script.matchAll(/"url":\s*"([^"]+)"/g)].map(([, url = '']) => url);
  expect(urls).toHaveLength(4);
  for (const url of urls) {
    const document = (await (await get(new URL(url, `${origin}${PREFIX}/docs/`).href, '*/*')).json()) as {
      servers: { url: string }[];
    };
    expect(document.servers).toEqual([{ url: PREFIX }]);
  }
});
