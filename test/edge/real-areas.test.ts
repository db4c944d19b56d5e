import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** What the edge promises, asked of the real areas over a real socket. @see contracts/client-needs.md section 2 */
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ stubChain: '31337' });
});

afterAll(() => server.close());

type Shape = 'verify' | 'version 1' | 'status' | 'mirror';

const ADDRESS = '0x000000000000000000000000000000000000dEaD';

const VERIFY_ERROR = {
  customCode: expect.any(String),
  message: expect.any(String),
  errorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
};

function expectShape(shape: Shape, body: unknown): void {
  if (shape === 'verify') {
    expect(body).toEqual(VERIFY_ERROR);
  } else if (shape === 'version 1') {
    expect(body).toEqual({ ...VERIFY_ERROR, error: expect.any(String) });
  } else if (shape === 'status') {
    expect(body).toMatchObject({ error: expect.any(String) });
  } else {
    expect(body).toMatchObject({ _status: { messages: [{ message: expect.any(String) }] } });
  }
}

describe.each<[string, Shape]>([
  [`/v2/contracts/31337`, 'verify'],
  ['/chains', 'verify'],
  ['/version', 'verify'],
  ['/health', 'verify'],
  ['/api/v2/summary.json', 'status'],
  ['/status', 'status'],
  ['/Status/History', 'status'],
  ['/api/v1/transactions', 'mirror'],
  ['/api/v1/network/nodes', 'mirror'],
])('GET %s', (path) => {
  test('answers GET, HEAD, a trailing slash, any Accept and a preflight, readable from any origin', async () => {
    const get = await fetch(server.url + path);
    expect(get.status).toBe(200);
    expect(get.headers.get('access-control-allow-origin')).toBe('*');
    expect(get.headers.get('x-powered-by')).toBeNull();

    const head = await fetch(server.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));

    expect((await fetch(`${server.url}${path}/`)).status).toBe(200);
    expect((await fetch(server.url + path, { headers: { accept: 'text/csv' } })).status).toBe(200);

    const preflight = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://explorer.example.org', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,HEAD,PUT,PATCH,POST,DELETE');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(preflight.headers.get('access-control-max-age')).not.toBeNull();
  });
});

describe('errors have the body of their area and are readable from any origin', () => {
  test.each<[string, string, Shape, number]>([
    ['GET', '/v2/nowhere', 'verify', 404],
    ['GET', '/nowhere', 'verify', 404],
    ['GET', '/v2/verify/not-a-uuid', 'verify', 400],
    ['GET', '/v2/verify/6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04', 'verify', 404],
    ['POST', `/v2/verify/31337/${ADDRESS}`, 'verify', 400],
    ['PUT', `/v2/verify/31337/${ADDRESS}`, 'verify', 405],
    ['DELETE', '/chains', 'verify', 405],
    ['POST', '/verify', 'version 1', 400],
    ['POST', '/', 'version 1', 400],
    ['GET', '/files/any/1/0x1', 'version 1', 400],
    ['GET', '/repo-ui/1/x', 'verify', 400],
    ['GET', '/v2/%E0%A4%A', 'verify', 400],
    ['GET', '/api/v2/summary', 'status', 404],
    ['GET', '/v1/pages/x/components/y/z', 'status', 401],
    ['POST', '/api/v2/summary.json', 'status', 405],
    ['GET', '/api/v2/%E0%A4%A', 'status', 404],
    ['GET', '/api/v1/nowhere', 'mirror', 404],
    ['GET', '/api/v1/transactions?limit=0', 'mirror', 400],
    ['GET', '/api/v1/transactions?foo=1', 'mirror', 400],
    ['POST', '/api/v1/transactions', 'mirror', 404],
    ['PUT', '/api/v1/network/fees', 'mirror', 405],
    ['POST', '/api/v1/network/fees', 'mirror', 415],
    ['GET', '/api/v1/%E0%A4%A', 'mirror', 400],
  ])('%s %s', async (method, path, shape, status) => {
    const answer = await fetch(server.url + path, { method });
    const text = await answer.text();
    expect(answer.status, text).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(path.startsWith('/v1/') ? null : '*');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectShape(shape, JSON.parse(text));
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });

  test.each([
    ['DELETE', '/api/v1/transactions', '{"a":', 400],
    ['POST', '/api/v1/accounts/0.0.5', 'x', 400],
    ['GET', '/api/v1/transactions', '{"a":', 400],
    ['POST', '/api/v1/transactions', '{"a":1}', 404],
    ['POST', '/api/v1/transactions', '', 404],
    ['GET', '/api/v1/transactions', '{"a":1}', 200],
    ['POST', '/api/v1/nowhere', '{"a":', 404],
    ['DELETE', '/api/v1/network/fees', '{"a":', 405],
    ['DELETE', '/chains', '{"a":', 405],
    ['POST', '/api/v2', '{"a":', 404],
    ['POST', '/api/v1/', '{"a":', 404],
    ['POST', '/api/v2/api', '{"a":', 404],
    ['POST', '/api/x', '{"a":', 404],
    ['GET', '/api/v2', '{"a":', 404],
  ])('%s %s with the JSON body %s is answered %d', async (method, path, body, status) => {
    const { port } = new URL(server.url);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, method, path, headers }, resolve).on('error', reject).end(body);
    });
    const text = (await answer.toArray()).join('');
    expect(answer.statusCode, text).toBe(status);
    if (status !== 400) return;
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(JSON.parse(text)).toEqual({ _status: { messages: [{ message: expect.stringMatching(/JSON/) }] } });
  });

  test('the management paths send no CORS headers, not even to a preflight or for a broken path', async () => {
    for (const [method, path] of [
      ['GET', '/v1/pages'],
      ['OPTIONS', '/v1/pages'],
      ['GET', '/v1/%zz'],
    ] as const) {
      const answer = await fetch(server.url + path, { method, headers: { origin: 'https://x.example.org' } });
      expect(answer.headers.get('access-control-allow-origin'), `${method} ${path}`).toBeNull();
    }
  });

  test('bytes that are no HTTP get a JSON answer', async () => {
    const port = Number(new URL(server.url).port);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NO SUCH THING\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Access-Control-Allow-Origin: *');
    expectShape('verify', JSON.parse(answer.split('\r\n\r\n')[1] ?? ''));
  });

  test('odd methods and long paths never make a 500', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT', 'PROPFIND', 'REPORT']) {
      for (const path of [
        '/',
        '/v2',
        '/api/v1',
        '/api/v2',
        '/v1',
        `/${'x'.repeat(4000)}`,
        `/v2/verify/${'1'.repeat(3000)}/a`,
      ]) {
        const { status } = await fetch(server.url + path, { method });
        expect(status, `${method} ${path.slice(0, 40)}`).toBeGreaterThanOrEqual(400);
        expect(status, `${method} ${path.slice(0, 40)}`).toBeLessThan(500);
      }
    }
  });
});

test('the landing page leads to the status page, which answers', async () => {
  const landing = (await (await fetch(server.url)).json()) as { links: { href: string; title: string }[] };
  const link = landing.links.find(({ title }) => title === 'Status page')?.href ?? '';
  const { pathname } = new URL(link);
  const answer = await fetch(server.url + pathname);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

test('links and Location work behind a path prefix', async () => {
  const behind = await startTestServer({
    stubChain: '31337',
    env: { PUBLIC_URL: 'https://l.example.org/ledger/' },
  });
  try {
    const link = await fetch(`${behind.url}/repo-ui/31337/${ADDRESS}`, { redirect: 'manual' });
    expect([
      link.status,
      link.headers.get('location'),
      link.headers.get('access-control-allow-origin'),
    ]).toEqual([302, `/ledger/v2/contract/31337/${ADDRESS}`, '*']);
    const accepted = await fetch(`${behind.url}/v2/verify/31337/${ADDRESS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        stdJsonInput: { language: 'Solidity', sources: { a: { content: '' } } },
        compilerVersion: '0.8.30',
        contractIdentifier: 'a:A',
      }),
    });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('location')).toMatch(/^\/ledger\/v2\/verify\/[0-9a-f-]{36}$/);
    const page = await (await fetch(`${behind.url}/status`)).text();
    expect(page).toContain('href="/ledger/status/history"');
    expect(page).toContain('href="/ledger/api/v2/summary.json"');
    expect(page).not.toMatch(/href="\/(?!ledger\/)/);
  } finally {
    await behind.close();
  }
});

describe('bodies of submissions', () => {
  const submit = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.url}/v2/verify/31337/${ADDRESS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('may be packed with gzip', async () => {
    const input = { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } };
    const body = { stdJsonInput: input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' };
    const accepted = await submit(gzipSync(JSON.stringify(body)), { 'content-encoding': 'gzip' });
    expect([accepted.status, await accepted.json()]).toEqual([202, { verificationId: expect.any(String) }]);
    const broken = await submit('{}', { 'content-encoding': 'gzip' });
    const bomb = await submit(gzipSync(Buffer.alloc(31_457_281, ' ')), { 'content-encoding': 'gzip' });
    expect([broken.status, bomb.status]).toEqual([400, 400]);
  });

  test('that are too large do not break the connection of a client that still sends', async () => {
    const size = 31_457_281;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const received = expecting(socket);
    socket.write(
      `POST /v2/verify/31337/${ADDRESS} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${size}\r\n\r\n`,
    );
    await received('HTTP/1.1 413 Payload Too Large');
    await received('payload_too_large');
    socket.end(Buffer.alloc(size, ' '));
    // A reset would be an error here.
    await once(socket, 'end');
    const [hadError] = (await once(socket, 'close')) as [boolean];
    expect(hadError).toBe(false);
  });
});

/** Waits until a socket has received a text; rejects when it closes before. */
function expecting(socket: Socket): (text: string) => Promise<void> {
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  const closed = once(socket, 'close').then(() => {
    throw new Error(`closed after: ${received}`);
  });
  closed.catch(() => undefined);
  return async (text) => {
    while (!received.includes(text)) await Promise.race([once(socket, 'data'), closed]);
  };
}
