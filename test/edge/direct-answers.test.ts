import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureTransaction, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Answers that pass by the router are the router's, header by header. @see docs/adr/0012-ready-responses.md */
let server: TestServer;

const FIRST = 1_700_000_000_000_000_000n;

beforeAll(async () => {
  server = await startTestServer({ stubChain: '31337' });
  const transactions = Array.from({ length: 60 }, (_, index) =>
    fixtureTransaction({
      consensusTimestamp: consensusTimestamp(FIRST + BigInt(index) * 1_000_000_000n),
      payer: entityId(1000n + BigInt(index % 3)),
    }),
  );
  await server.services.mirror.ledger.commitUnit(fixtureUnit('direct', { transactions }));
});

afterAll(() => server.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as it was sent. */
  readonly bytes: Buffer;
}

/** Sends no header of its own, unlike `fetch`. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const sent = request(server.url + path, { headers, method });
  sent.end();
  const [answer] = await once(sent, 'response');
  const bytes = await buffer(answer);
  const isPacked = answer.headers['content-encoding'] === 'gzip';
  const body = (isPacked ? gunzipSync(bytes) : bytes).toString();
  return { status: answer.statusCode, headers: answer.headers, body, bytes };
}

/** Differ in each answer. */
function withoutIds({ bytes, headers, status }: Answer) {
  return { status, bytes, headers: { ...headers, date: '', 'x-request-id': '' } };
}

/** An announced body, even of no bytes, makes the router answer. */
const THROUGH_ROUTER = { 'content-length': '0' };
/** As browsers, `fetch` and axios send it. */
const PACKED = { 'accept-encoding': 'gzip, deflate, br' };

describe('a transaction list', () => {
  test.each([
    '/api/v1/transactions',
    '/api/v1/transactions?',
    '/api/v1/transactions?limit=5',
    '/api/v1/transactions?limit=5&order=asc',
    '/api/v1/transactions?timestamp=lt:1700000030.000000000&limit=100',
    '/api/v1/transactions?timestamp=gt:1700000050&order=asc',
    '/api/v1/transactions?timestamp=lt:1',
    '/api/v1/transactions?account.id=0.0.1001&limit=3',
    '/api/v1/transactions?account.id=0xabcdefabcdefabcdefabcdefabcdefabcdefabcd',
    '/api/v1/transactions?limit=0&order=up&nothing=1',
    '/api/v1/transactions?transactiontype=%C3%BC',
    '/api/v1/transactions/',
    '/API/v1/transactions',
    '/api/v1/transactions/nonsense',
  ])('is the same without the router: %s', async (path) => {
    const direct = await ask(path);
    expect(direct.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(withoutIds(direct)).toEqual(withoutIds(await ask(path, THROUGH_ROUTER)));
    const packed = await ask(path, PACKED);
    expect(withoutIds(packed)).toEqual(withoutIds(await ask(path, { ...PACKED, ...THROUGH_ROUTER })));
    expect(packed.body).toBe(direct.body);
    if (direct.body.length > 1024) expect(packed.bytes.length).toBeLessThan(direct.bytes.length / 2);
  });

  test('passes by the router only as a plain success', () => {
    const { answerDirectly } = server.services.mirror;
    const isDirect = (path: string, headers = {}) => answerDirectly?.(path, headers) !== null;
    expect(isDirect('/api/v1/transactions?limit=5')).toBe(true);
    expect(isDirect('/api/v1/transactions?account.id=0.0.1001')).toBe(true);
    expect(isDirect('/api/v1/transactions/')).toBe(false);
    const isDirectWith = (headers: object) => isDirect('/api/v1/transactions?limit=50', headers);
    expect(isDirectWith(PACKED)).toBe(true);
    expect(isDirectWith({ 'accept-encoding': 'br' })).toBe(false);
    expect(isDirectWith({ 'accept-encoding': 'gzip;q=0' })).toBe(false);
    expect(isDirectWith({ ...PACKED, 'x-no-compression': '1' })).toBe(false);
    expect(isDirectWith({ 'if-none-match': '"a"' })).toBe(false);
  });

  test('keeps the id of a request', async () => {
    const { headers } = await ask('/api/v1/transactions', { 'x-request-id': 'mine-1' });
    expect(headers['x-request-id']).toBe('mine-1');
  });

  test('is 304 to the tag of an answer that passed by the router', async () => {
    const { headers } = await ask('/api/v1/transactions?limit=2');
    const again = await ask('/api/v1/transactions?limit=2', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  test('answers HEAD and a body with GET as the router does', async () => {
    const head = await ask('/api/v1/transactions?limit=2', {}, 'HEAD');
    const get = await ask('/api/v1/transactions?limit=2');
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('is counted as a request of its route', async () => {
    const count = async () => {
      const metrics = (await ask('/metrics')).body;
      const line =
        /^ledgerlens_http_request_duration_seconds_count\{.*route="\/api\/v1\/transactions",.*\} (\d+)$/m;
      return Number(line.exec(metrics)?.[1] ?? 0);
    };
    const before = await count();
    for (let index = 0; index < 5; index += 1) await ask('/api/v1/transactions?limit=2');
    await expect.poll(count).toBe(before + 5);
  });

  test('answers many at once, each with its own page', async () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/api/v1/transactions?limit=${index + 1}`);
    const answers = await Promise.all(paths.map((path) => ask(path)));
    for (const [index, { body }] of answers.entries()) {
      expect((JSON.parse(body) as { transactions: unknown[] }).transactions).toHaveLength(index + 1);
    }
  });
});

describe('a status document', () => {
  test.each([
    ['as it is', {}],
    ['packed', { 'accept-encoding': 'gzip, br' }],
    ['for another tag', { 'if-none-match': '"other"' }],
    ['for any tag', { 'if-none-match': '*' }],
  ])('is the same without the router: %s', async (_what, headers) => {
    for (const path of ['/api/v2/summary.json', '/api/v2/incidents/unresolved.json']) {
      // Queries are ignored, and known to the router alone; it packs the document for both.
      const routed = await ask(`${path}?through=router`, headers);
      expect(server.services.status.answerDirectly?.(path, headers)).not.toBeNull();
      expect(withoutIds(await ask(path, headers))).toEqual(withoutIds(routed));
    }
  });

  test('follows a change at once', async () => {
    const { service } = server.services.status;
    const before = await ask('/api/v2/components.json');
    await service.createComponent({ name: 'Faucet' });
    const after = await ask('/api/v2/components.json', { 'if-none-match': String(before.headers.etag) });
    expect(after.status).toBe(200);
    expect(after.body).toContain('Faucet');
  });
});
