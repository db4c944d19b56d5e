import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../support/http-connection.ts';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** A connection is never left half-read: after any answer the next request is answered, or the connection closed. */
let server: TestServer;
let own: StatusListener;

beforeAll(async () => {
  server = await startTestServer({ stubChain: '31337' });
  own = await startStatusListener(server);
});

afterAll(async () => {
  await own.close();
  await server.close();
});

const VERIFY = '/v2/verify/31337/0x000000000000000000000000000000000000dEaD';
const JSON_TYPE = 'Content-Type: application/json';
/** More than anybody looks at, less than what is worth a new connection. */
const LARGE = Buffer.from(JSON.stringify({ text: 'x'.repeat(200_000) }));
/** Not worth reading for nothing. */
const HUGE = Buffer.alloc(3_000_000, ' ');
const SMALL = Buffer.from('{"a":1}');

function chunked(body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}

interface Early {
  readonly request: string;
  readonly headers?: readonly string[];
  readonly body?: Uint8Array;
  /** Sent before the answer, of the body; absent: none of it has to be. */
  readonly needs?: number;
  readonly isChunked?: boolean;
  readonly status: number;
}

const CASES: Readonly<Record<string, Early>> = {
  '404 of verify': { request: 'POST /nowhere', headers: [JSON_TYPE], body: LARGE, status: 404 },
  '404 of status': { request: 'POST /api/v2/nowhere', body: LARGE, status: 404 },
  '404 of mirror, GET-only path': {
    request: 'POST /api/v1/transactions',
    headers: [JSON_TYPE],
    body: LARGE,
    needs: 100_000,
    status: 404,
  },
  '405 of verify': { request: 'DELETE /chains', headers: [JSON_TYPE], body: LARGE, status: 405 },
  '405 of mirror': { request: 'PUT /api/v1/network/fees', body: LARGE, status: 405 },
  '401 of management': { request: 'POST /v1/pages', headers: [JSON_TYPE], body: LARGE, status: 401 },
  '401, packed in an unknown way': {
    request: 'POST /v1/pages/x/incidents',
    headers: ['Content-Type: application/x-unknown', 'Content-Encoding: gzip'],
    body: gzipSync(HUGE),
    status: 401,
  },
  '413 of verify': {
    request: `POST ${VERIFY}`,
    headers: [JSON_TYPE, 'Content-Length: 31457281'],
    body: Buffer.alloc(31_457_281, ' '),
    status: 413,
  },
  '413 of mirror': {
    request: 'POST /api/v1/network/fees',
    headers: ['Content-Type: application/protobuf'],
    body: HUGE,
    status: 413,
  },
  '415 of mirror': {
    request: 'POST /api/v1/network/fees',
    headers: ['Content-Type: text/csv'],
    body: LARGE,
    status: 415,
  },
  '400 for a type': {
    request: `POST ${VERIFY}`,
    headers: ['Content-Type: text/csv'],
    body: LARGE,
    status: 400,
  },
  '400 for an encoding': {
    request: `POST ${VERIFY}`,
    headers: [JSON_TYPE, 'Content-Encoding: br'],
    body: HUGE,
    status: 400,
  },
  '400 for a parameter': {
    request: 'GET /api/v1/transactions?limit=0',
    headers: ['Content-Type: text/csv'],
    body: LARGE,
    status: 400,
  },
  '400 for a broken escape': { request: 'POST /v2/%E0%A4%A', body: LARGE, status: 400 },
  '400 for two hosts': { request: 'POST /chains', headers: ['Host: b'], body: LARGE, status: 400 },
  '417': { request: `POST ${VERIFY}`, headers: ['Expect: 42'], body: LARGE, status: 417 },
  'Expect: 100-continue': {
    request: 'POST /nowhere',
    headers: ['Expect: 100-continue'],
    body: LARGE,
    status: 404,
  },
  'a list with a JSON body': {
    request: 'GET /api/v1/transactions',
    headers: [JSON_TYPE],
    body: LARGE,
    needs: 100_000,
    status: 200,
  },
  'a list with a body of another type': { request: 'GET /api/v1/transactions', body: LARGE, status: 200 },
  'a list with a huge body': { request: 'GET /api/v1/transactions', body: HUGE, status: 200 },
  'a document with a body': { request: 'GET /api/v2/summary.json', body: LARGE, status: 200 },
  '304 with a body': {
    request: 'GET /api/v2/summary.json',
    headers: ['If-None-Match: *'],
    body: LARGE,
    status: 304,
  },
  'liveness with a body': { request: 'GET /health/liveness', body: LARGE, status: 200 },
  'the landing page with a huge body': { request: 'GET /', body: HUGE, status: 200 },
  'a preflight with a body': {
    request: 'OPTIONS /api/v1/transactions',
    headers: ['Origin: https://x.example.org', 'Access-Control-Request-Method: POST'],
    body: LARGE,
    status: 204,
  },
  'HEAD with a JSON body': {
    request: 'HEAD /api/v1/transactions',
    headers: [JSON_TYPE],
    body: LARGE,
    needs: 100_000,
    status: 200,
  },
  'HEAD with a body': { request: 'HEAD /api/v2/summary.json', body: LARGE, status: 200 },
  'a chunked JSON body': {
    request: 'GET /api/v1/transactions',
    headers: [JSON_TYPE],
    body: LARGE,
    needs: 100_000,
    isChunked: true,
    status: 200,
  },
  'a chunked body nobody reads': { request: 'POST /nowhere', body: LARGE, isChunked: true, status: 404 },
  'a small chunked body': { request: 'POST /nowhere', body: SMALL, isChunked: true, status: 404 },
  'Upgrade with a body': {
    request: 'POST /nowhere',
    headers: ['Connection: Upgrade', 'Upgrade: h2c'],
    body: SMALL,
    status: 404,
  },
  'Upgrade without a body': {
    request: 'GET /api/v2/summary.json',
    headers: ['Connection: Upgrade', 'Upgrade: websocket'],
    status: 200,
  },
  'a redirect with a body': { request: 'GET /api/v1/docs', body: LARGE, status: 302 },
  'no body': { request: 'GET /nowhere', status: 404 },
};

const NEXT = 'GET /health/liveness HTTP/1.1\r\nHost: a\r\n\r\n';

function parts({ body, headers = [], isChunked, needs = 0, request }: Early) {
  const lines = ['Host: a', ...headers];
  if (isChunked) lines.push('Transfer-Encoding: chunked');
  else if (body !== undefined && !headers.some((line) => line.startsWith('Content-Length'))) {
    lines.push(`Content-Length: ${body.length}`);
  }
  const head = Buffer.from([`${request} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const sent = body === undefined ? Buffer.alloc(0) : isChunked ? chunked(body) : Buffer.from(body);
  return { first: Buffer.concat([head, sent.subarray(0, needs)]), rest: sent.subarray(needs) };
}

/** @returns the status of the second answer, or that the server closed. */
async function askTwice(url: string, early: Early, isAtOnce: boolean): Promise<number | 'closed'> {
  const { first, rest } = parts(early);
  const connection = await connectTo(url);
  const next = Buffer.from(NEXT);
  connection.send(isAtOnce ? Buffer.concat([first, rest, next]) : first);
  const answer = await connection.answer({ isToHead: early.request.startsWith('HEAD') });
  expect(answer?.status).toBe(early.status);
  if (!isAtOnce) connection.send(Buffer.concat([rest, next]));
  const second = await connection.answer();
  if (second === null) expect(answer?.headers.get('connection')).toBe('close');
  connection.destroy();
  return second === null ? 'closed' : second.status;
}

describe.each(Object.entries(CASES))('%s', (_name, early) => {
  test.each([
    ['sent at once', true],
    ['sent after the answer', false],
  ])('does not spoil the next request: %s', async (_how, isAtOnce) => {
    expect(['closed', 200]).toContain(await askTwice(server.url, early, isAtOnce));
  });
});

test.each(['401 of management', '404 of status', 'a document with a body', 'Upgrade with a body'])(
  'nor on the listener of its own: %s',
  async (name) => {
    for (const isAtOnce of [true, false]) {
      expect(['closed', 200]).toContain(await askTwice(own.url, CASES[name] as Early, isAtOnce));
    }
  },
);

test.each(['404 of verify', 'a list with a JSON body', 'liveness with a body', '415 of mirror'])(
  'a connection goes on after a short body: %s',
  async (name) => {
    expect(await askTwice(server.url, CASES[name] as Early, false)).toBe(200);
  },
);

test('a client whose body never comes does not keep its connection', async () => {
  const connection = await connectTo(server.url);
  connection.send('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1');
  expect((await connection.answer())?.status).toBe(404);
  await connection.closed().catch(() => undefined);
});
