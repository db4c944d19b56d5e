import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, buildStatusApp } from '../../src/app.ts';
import { listen } from '../../src/http/edge/listeners.ts';
import { connectTo, type WireAnswer } from '../support/http-connection.ts';
import { type StatusListener, startStatusListener } from '../support/status-listener.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** One place says to which route and area a request belongs, however its target is written. */
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

/** Sends a target as it is, which no client library does. */
async function ask(url: string, target: string, method = 'GET'): Promise<WireAnswer> {
  const connection = await connectTo(url);
  connection.send(`${method} ${target} HTTP/1.1\r\nHost: a\r\nOrigin: https://x.example.org\r\n\r\n`);
  const answer = await connection.answer({ isToHead: method === 'HEAD' });
  connection.destroy();
  if (answer === null) throw new Error('closed without an answer');
  return answer;
}

const MANAGEMENT = [
  '/v1/pages',
  '/V1/Pages',
  '/%761/pages',
  '/v%31/%70ages',
  '//v1/pages',
  '///v1//pages',
  '/v1/pages#part',
  'http://a/v1/pages',
  'HTTP://other.example.org:80//%561/pages?x=1',
  '/x/../v1/pages',
  '/x/%2e%2E/v1/pages',
  '/./v1/pages',
  '/v1;a=b/pages',
  '/v1%2fpages',
  '/v1/%zz',
  '/%761/%zz',
];

describe.each([
  ['the shared listener', () => server.url],
  ['the listener of its own', () => own.url],
] as const)('management paths on %s', (_, urlOf) => {
  test.each(MANAGEMENT)('%s is refused as such and read by no page of another origin', async (target) => {
    const answer = await ask(urlOf(), target);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toEqual({
      error: 'Could not authenticate',
      message: 'Could not authenticate',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeUndefined();
    const preflight = await ask(urlOf(), target, 'OPTIONS');
    expect(preflight.headers.get('access-control-allow-origin')).toBeUndefined();
    expect(preflight.headers.get('access-control-allow-methods')).toBeUndefined();
  });
});

test.each([
  ['//v2/contracts/31337', '/v2/contracts/31337'],
  ['//chains', '/chains'],
  ['//api/v2/summary.json', '/api/v2/summary.json'],
  ['//status', '/status'],
  ['//api/v1/transactions', '/api/v1/transactions'],
  ['/api//v1/transactions?limit=3', '/api/v1/transactions?limit=3'],
  ['http://a.example.org/api/v1/transactions?limit=3', '/api/v1/transactions?limit=3'],
  ['/api/v1/%74ransactions', '/api/v1/transactions'],
  ['/api/v1/network/../transactions/', '/api/v1/transactions'],
  ['//api/v1/network/nodes', '/api/v1/network/nodes'],
  ['//health/liveness', '/health/liveness'],
])('%s is answered like %s', async (target, plain) => {
  const [given, expected] = [await ask(server.url, target), await ask(server.url, plain)];
  expect([given.status, given.body]).toEqual([200, expected.body]);
});

test('a submission to an address with two slashes is taken', async () => {
  const body = JSON.stringify({
    stdJsonInput: { language: 'Solidity', sources: { a: { content: '' } } },
    compilerVersion: '0.8.30',
    contractIdentifier: 'a:A',
  });
  const answer = await fetch(`${server.url}//v2/verify/31337/0x000000000000000000000000000000000000dEaD`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(202);
});

test.each([
  ['/v1/../nowhere', 'verify'],
  ['/API/V1/nowhere', 'mirror'],
  ['/%61pi/v1/nowhere', 'mirror'],
  ['/api/v1;x/nowhere', 'mirror'],
  ['/%61pi/v2/nowhere', 'status'],
] as const)('%s is unknown in the form of area %s', async (target, area) => {
  const { body, headers, status } = await ask(server.url, target);
  const form = { verify: 'customCode', mirror: '_status', status: 'error' }[area];
  expect([status, Object.keys(JSON.parse(body) as object)[0]]).toEqual([404, form]);
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test.each([
  ['shared listener', buildApp],
  ['listener of its own', buildStatusApp],
] as const)('on the %s health checks alone pass the limit of a client', async (_, build) => {
  const app = await build(server.services, { requestsPerSecond: 1 / 5000 });
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
  const statusOf = async (request: string) => {
    const [method = '', target = ''] = request.split(' ');
    const answer = await ask(`http://127.0.0.1:${listeners.ports[0]}`, target, method);
    return `${request} ${answer.status}`;
  };
  for (let count = 0; count < 40; count += 1) await statusOf('GET /nowhere');
  const [others, checks] = [
    [
      'GET /health/../api/v1/transactions?limit=100',
      'GET /health/%2e%2e/api/v1/transactions',
      'GET /health/%2E./api/v1/transactions',
      'GET /health/liveness/../../api/v1/transactions',
      'GET //health/liveness/..',
      'GET /health/liveness%3fx/../../chains',
      'GET http://a/health/../chains',
      'GET /health/nowhere',
      'HEAD /health/../chains',
      'POST /health/../v2/verify/31337/0x000000000000000000000000000000000000dEaD',
      'POST /health/liveness',
      'OPTIONS /health/readiness',
    ],
    ['/health/liveness', '/health/readiness', '//health/liveness', '/Health/Readiness/']
      .flatMap((path) => [path, `${path}?x=/../..`])
      .flatMap((target) => [`GET ${target}`, `HEAD ${target}`]),
  ];
  expect(await Promise.all(others.map(statusOf))).toEqual(others.map((request) => `${request} 429`));
  expect(await Promise.all(checks.map(statusOf))).toEqual(checks.map((request) => `${request} 200`));
  await listeners.close();
});
