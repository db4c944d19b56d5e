import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AppParts, buildApp, buildStatusApp } from './app.ts';
import { DOCUMENT_NAMES } from './http/api-docs.ts';
import type { Area, AreaName } from './http/area.ts';
import { EdgeRefusal } from './http/edge/edge-refusal.ts';
import { UnsentAnswers } from './http/edge/unsent-answers.ts';
import { PACK_AT_ONCE_BYTES } from './http/packing.ts';
import { MIRROR_PATHS } from './mirror/paths.ts';
import { ownFile } from './own-files.ts';
import type { SiteInfo } from './pages/landing/landing-page.ts';
import type { Overview } from './pages/landing/overview.ts';
import { STATUS_PATHS } from './status/paths.ts';
import { StorageFaultError } from './values/storage-errors.ts';
import { VERIFY_PATHS } from './verify/paths.ts';

/** An area that serves one page and tells by its error bodies that it was asked. */
function anArea(name: AreaName, path: string): Area {
  const answer = (statusCode: number, headers = {}) => ({
    statusCode,
    body: { area: name, statusCode },
    headers,
  });
  return {
    name,
    paths: { verify: VERIFY_PATHS, status: STATUS_PATHS, mirror: MIRROR_PATHS }[name],
    errors: {
      fromError: (error) => answer((error as { statusCode?: number }).statusCode ?? 500),
      notFound: () => answer(404),
      methodNotAllowed: (_request, allowed) => answer(405, { allow: allowed.join(', ') }),
    },
    routes: async (app) => {
      app.get(
        path,
        { schema: { tags: [name], response: { 200: Type.Object({ n: Type.Integer() }) } } },
        async () => ({
          n: 9_223_372_036_854_775_807n,
        }),
      );
      app.get(`${path}/large`, { schema: { hide: true } }, async () => ({ text: 'x'.repeat(5000) }));
      app.post(path, { schema: { body: Type.Object({ count: Type.Integer() }) } }, async () => ({}));
      app.get(`${path}/failing`, { schema: { hide: true } }, async () => {
        throw new Error('broken');
      });
      app.get(`${path}/unsupported`, { schema: { hide: true } }, async () => {
        throw Object.assign(new Error('not built'), { statusCode: 501 });
      });
      app.get<{ Querystring: { cause?: string } }>(
        `${path}/busy`,
        { schema: { hide: true } },
        async ({ query }) => {
          const refusal = new EdgeRefusal(503, 'too many', 5);
          throw query.cause === undefined ? refusal : Object.assign(refusal, { cause: new Error('it died') });
        },
      );
      app.get<{ Querystring: { told: string } }>(
        `${path}/unstored`,
        { schema: { hide: true } },
        async ({ query }) => {
          throw new StorageFaultError('the disk is full', { isTold: query.told === 'yes' });
        },
      );
    },
    start: async () => {},
    close: async () => {},
    readiness: () => ({ ready: true, members: { [`${name}Area`]: 'fine' } }),
  };
}

function recordingLog(level = 'warn') {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(line) });
  return { lines, log };
}

const PATHS: Readonly<Record<AreaName, string>> = {
  verify: '/v2/things',
  status: '/api/v2/things.json',
  mirror: '/api/v1/things',
};

let drain: { isDraining: boolean };
const OVERVIEW: Overview = {
  status: { indicator: 'none', description: 'All Systems Operational' },
  ledger: null,
  chains: [],
  verified: null,
  now: Date.UTC(2026, 0, 1),
};

function aSite(overview: Partial<Overview> = {}): SiteInfo {
  return {
    version: '1.2.3',
    dialect: 'spec',
    publicUrl: 'https://l.example.org',
    statusUrl: null,
    overview: async () => ({ ...OVERVIEW, ...overview }),
    sampleTransaction: Uint8Array.of(42, 1),
  };
}

let app: FastifyInstance;
let parts: AppParts;

beforeEach(async () => {
  drain = { isDraining: false };
  parts = {
    verify: anArea('verify', PATHS.verify),
    status: anArea('status', PATHS.status),
    mirror: anArea('mirror', PATHS.mirror),
    metrics: new Registry(),
    drain,
    site: aSite(),
    log: pino({ level: 'silent' }),
  };
  app = await buildApp(parts);
});

afterEach(() => app.close());

describe.each(Object.entries(PATHS))('the edge of area %s', (area, path) => {
  test('starts however slow the machine is', () => {
    expect(app.initialConfig.pluginTimeout).toBe(0);
  });

  test('prints int64 with all digits', async () => {
    expect((await app.inject(path)).body).toBe('{"n":9223372036854775807}');
  });

  test('lets any origin read success, 404, 405, 4xx and 5xx', async () => {
    const answers = [
      await app.inject(path),
      await app.inject(`${path}/nowhere`),
      await app.inject({ method: 'DELETE', url: path }),
      await app.inject({ method: 'POST', url: path, payload: { count: '1' } }),
      await app.inject(`${path}/failing`),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 405, 400, 500]);
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    for (const answer of answers.slice(1)) expect(answer.json()).toMatchObject({ area });
  });

  test('names the methods of a known path', async () => {
    const answer = await app.inject({ method: 'PUT', url: `${path}/` });
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
  });

  test('answers 404 to an unknown path whatever its body is', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: `${path}/nowhere`,
      headers: { 'content-type': 'text/odd' },
      payload: '<>',
    });
    expect(answer.statusCode).toBe(404);
  });

  test('answers a preflight', async () => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url: path,
      headers: { origin: 'https://x.example.org', 'access-control-request-headers': 'content-type,x-y' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      'access-control-allow-headers': 'content-type,x-y',
      vary: 'Access-Control-Request-Headers',
    });
    expect(answer.headers['access-control-max-age']).toBeDefined();
  });

  test('logs a fault once, with its cause', async () => {
    const { lines, log } = recordingLog();
    const logged = await buildApp({ ...parts, log });
    await logged.inject(`${path}/failing`);
    await logged.inject(`${path}/nowhere`);
    await logged.close();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      err: { message: 'broken' },
      reqId: expect.any(String),
    });
  });

  test('logs what is not supported by design as information', async () => {
    const { lines, log } = recordingLog('info');
    const logged = await buildApp({ ...parts, log });
    expect((await logged.inject(`${path}/unsupported`)).statusCode).toBe(501);
    await logged.close();
    const entries = lines.map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string });
    expect(entries.filter(({ msg }) => msg === 'request not supported')).toMatchObject([{ level: 30 }]);
    expect(entries.filter(({ level }) => level > 30)).toEqual([]);
  });

  test('logs a fault of the storage unless whoever noticed it has', async () => {
    const { lines, log } = recordingLog();
    const logged = await buildApp({ ...parts, log });
    await logged.inject(`${path}/unstored?told=yes`);
    expect(lines).toEqual([]);
    await logged.inject(`${path}/unstored?told=no`);
    await logged.close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ err: { reason: 'the disk is full' } }]);
  });

  test('logs no line for each client that it asks to come again later', async () => {
    const { lines, log } = recordingLog();
    const logged = await buildApp({ ...parts, log });
    const { statusCode, headers } = await logged.inject(`${path}/busy`);
    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(lines).toEqual([]);
    await logged.inject(`${path}/busy?cause=fault`);
    await logged.close();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('it died');
  });

  test('answers HEAD as GET without a body', async () => {
    const answer = await app.inject({ method: 'HEAD', url: path });
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '25']);
  });

  test('serves one trailing slash directly', async () => {
    expect((await app.inject(`${path}/`)).statusCode).toBe(200);
    expect((await app.inject(`${path}/?x=1`)).statusCode).toBe(200);
  });

  test('compresses large bodies on request', async () => {
    const answer = await app.inject({ url: `${path}/large`, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual({ text: 'x'.repeat(5000) });
    const brotli = await app.inject({ url: `${path}/large`, headers: { 'accept-encoding': 'br' } });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual({
      text: 'x'.repeat(5000),
    });
    const browser = await app.inject({
      url: `${path}/large`,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    expect(browser.headers['content-encoding']).toBe('gzip');
    const small = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('answers a URL that cannot be decoded in its own error body', async () => {
    const answer = await app.inject(`${path}/%E0%A4%A`);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.json()).toMatchObject({ area });
  });

  test('ignores an odd Accept header and a content type on GET', async () => {
    const answer = await app.inject({
      url: path,
      headers: { accept: 'text/csv', 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

test('a refusal and what a client says about itself are logged at debug', async () => {
  const { lines, log } = recordingLog('debug');
  const logged = await buildApp({ ...parts, log });
  await logged.inject({
    method: 'POST',
    url: PATHS.verify,
    headers: { 'x-client-source': 'a-tool' },
    payload: { count: '1' },
  });
  await logged.close();
  const [refused, request] = lines.map((line) => JSON.parse(line));
  expect(refused).toMatchObject({ level: 20, answer: { area: 'verify', statusCode: 400 } });
  expect(request).toMatchObject({ msg: 'request', statusCode: 400, 'x-client-source': 'a-tool' });
});

describe('request ids', () => {
  test('takes the trace id, else the given id, else a new one', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traced = await app.inject({
      url: '/',
      headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` },
    });
    expect(traced.headers['x-request-id']).toBe(trace);
    const given = await app.inject({ url: '/', headers: { 'x-request-id': 'abc-1' } });
    expect(given.headers['x-request-id']).toBe('abc-1');
    const forged = await app.inject({ url: '/', headers: { 'x-request-id': 'a b{}' } });
    expect(forged.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('GET /health', () => {
  test('is ready with the members of all areas until draining begins', async () => {
    expect((await app.inject('/health/liveness')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/health/readiness')).json()).toEqual({
      status: 'ok',
      verifyArea: 'fine',
      statusArea: 'fine',
      mirrorArea: 'fine',
    });
    drain.isDraining = true;
    const draining = await app.inject('/health/readiness');
    expect(draining.statusCode).toBe(503);
    expect(draining.json()).toMatchObject({ status: 'error', draining: true });
    expect((await app.inject('/health/liveness')).statusCode).toBe(200);
  });
});

describe('GET /', () => {
  test('names the dialect and links the APIs, as page and as JSON', async () => {
    const page = await app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    // Variables are for operators.
    expect(page.body).not.toMatch(/MIRROR_|VERIFY_/);
    expect(page.body).toContain('https://l.example.org/docs');
    const document = await app.inject('/');
    expect(document.json()).toMatchObject({ name: 'Ledgerlens', version: '1.2.3', dialect: 'spec' });
    expect(document.json()).not.toHaveProperty('sampleTransaction');
  });

  test('says how the server is, how far the ledger is, and how to ask it', async () => {
    const newestAt = Date.UTC(2025, 11, 31, 23, 58, 59);
    const site = aSite({
      status: { indicator: 'major', description: 'Partial <System> Outage' },
      ledger: { newestAt, newestTimestamp: '1767225539.000000001', networkVersion: '0.66.0' },
      chains: [{ chainId: '296', name: 'Testnet' }],
      verified: { chainId: '296', address: '0xabc', name: '<Box>' },
    });
    const other = await buildApp({ ...parts, metrics: new Registry(), site });
    const { body, headers } = await other.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(body).toContain('Partial &lt;System&gt; Outage');
    expect(body).toMatch(/1767225539\.000000001<\/time>, 1 minute ago, network version 0\.66\.0/);
    expect(body).toContain('Testnet (296)');
    expect(body).toContain('echo KgE= | base64 -d | curl');
    expect(body).toContain('https://l.example.org/v2/contract/296/0xabc');
    expect(body).toContain('contract &lt;Box&gt;');
    expect(headers['content-security-policy']).not.toContain('unsafe');
    await other.close();
  });

  test('works below a path', async () => {
    const other = await buildApp({
      ...parts,
      metrics: new Registry(),
      site: { ...aSite(), publicUrl: 'https://l.example.org/lens' },
    });
    const { body } = await other.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(body).toContain('href="/lens/assets/site.css?v=');
    expect(body).toContain('href="/lens/verify-ui"');
    expect(body).not.toMatch(/(?:href|src)="\/(?!lens\/)/);
    await other.close();
  });
});

describe('an unknown address', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each(['/nothing', '/api/v1/nothing', '/api/v2/nothing', '/v2/nothing', '/status/nothing/here'])(
    '%s is a page for browsers, and the error of its area for programs',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const page = await app.inject({ method, url, headers: browser });
        expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(page.headers['content-security-policy']).toContain("default-src 'none'");
        expect(page.body).toContain('Page not found');
      }
      const posted = await app.inject({ method: 'POST', url, headers: browser });
      const program = await app.inject({ url, headers: { accept: '*/*' } });
      for (const answer of [posted, program]) {
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([
          404,
          'application/json; charset=utf-8',
        ]);
      }
    },
  );

  test.each([
    ['/%zz', 400],
    ['/ledger/%', 400],
    ['/api/v1/transactions/%f', 400],
    ['/repo-ui/1/%e0%a4%a', 400],
  ])('%s cannot be read: a page for browsers, the error of its area for programs', async (url, status) => {
    const page = await app.inject({ url, headers: browser });
    expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('This address is malformed');
    const program = await app.inject({ url, headers: { accept: '*/*' } });
    expect([program.statusCode, program.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
  });

  test('the icon that browsers ask for by themselves is the mark', async () => {
    const { headers, statusCode } = await app.inject('/favicon.ico');
    expect(statusCode).toBe(302);
    const mark = await app.inject(String(headers.location));
    expect([mark.headers['content-type'], mark.headers['cache-control']]).toEqual([
      'image/svg+xml',
      'public, max-age=31536000, immutable',
    ]);
    expect(mark.headers['content-security-policy'] ?? '').not.toContain('unsafe');
  });
});

describe('GET /metrics', () => {
  test('counts requests by route pattern', async () => {
    await app.inject(PATHS.mirror);
    const { body } = await app.inject('/metrics');
    expect(body).toContain(
      'ledgerlens_http_request_duration_seconds_count{method="GET",route="/api/v1/things",status="200"} 1',
    );
  });
});

describe('GET /docs', () => {
  test('has a content policy that also works over plain HTTP', async () => {
    const policy = String((await app.inject('/docs/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; ");
    expect(policy).not.toMatch(/unsafe-|https?:/);
    expect(policy).not.toContain('upgrade-insecure-requests');
  });

  const written = (name: string) => readFileSync(ownFile(`../openapi/${name}.json`), 'utf8');

  test.each(DOCUMENT_NAMES)('sends the document %s as it was generated', async (name) => {
    for (const url of [`/docs/openapi/${name}`, `/docs/openapi/${name}.json`]) {
      const { body, headers } = await app.inject(url);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(body === written(name)).toBe(true);
      const head = await app.inject({ method: 'HEAD', url });
      expect([head.body, head.headers['content-length']]).toEqual(['', String(body.length)]);
      const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      expect(gunzipSync(packed.rawPayload).toString() === body).toBe(true);
    }
  });

  test('sends what clients of mirror nodes look for', async () => {
    const { body, headers } = await app.inject('/api/v1/docs/openapi.yml');
    expect(headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(body === written('mirror')).toBe(true);
    expect((await app.inject('/api/v1/docs/')).headers['location']).toBe('/docs/');
  });

  test('names the path of the server in its documents, and nothing else of it', async () => {
    const site = { ...aSite(), publicUrl: 'https://l.example.org/lens' };
    const other = await buildApp({ ...parts, metrics: new Registry(), site });
    for (const name of DOCUMENT_NAMES) {
      const document = (await other.inject(`/docs/openapi/${name}.json`)).json();
      expect(document).toEqual({ ...JSON.parse(written(name)), servers: [{ url: '/lens' }] });
    }
    const mirror = (await other.inject('/api/v1/docs/openapi.yml')).body;
    expect(mirror).toBe((await other.inject('/docs/openapi/mirror')).body);
    await other.close();
  });

  test('has a page, and no other documents', async () => {
    expect((await app.inject('/docs/')).statusCode).toBe(200);
    for (const name of ['nothing', 'nothing.json', 'all.json.json', 'toString', '..%2Fpackage.json'])
      expect((await app.inject(`/docs/openapi/${name}`)).statusCode).toBe(404);
    for (const path of ['/docs/json', '/docs/yaml'])
      expect((await app.inject(path)).headers['location']).toBe('/docs/openapi/all.json');
  });

  test('collects no routes to describe them', async () => {
    await app.ready();
    expect(app.swagger().paths).toEqual({});
  });
});

test('what is compressed while its client reads counts as unsent, on the real path (issue 12)', async () => {
  const watched: number[] = [];
  const unsent = new (class extends UnsentAnswers {
    override watch(...[response, sourceBytes = 0]: Parameters<UnsentAnswers['watch']>): void {
      watched.push(sourceBytes);
      super.watch(response, sourceBytes);
    }
  })();
  const text = 'x'.repeat(PACK_AT_ONCE_BYTES);
  const routes: Area['routes'] = async (area) => void area.get('/api/v1/huge', async () => ({ text }));
  const huge = await buildApp(
    { ...parts, metrics: new Registry(), mirror: { ...parts.mirror, routes } },
    { unsent },
  );
  const get = (headers: Record<string, string>) => huge.inject({ url: '/api/v1/huge', headers });
  expect(gunzipSync((await get({ 'accept-encoding': 'gzip' })).rawPayload).toString()).toContain(text);
  expect(watched).toContain(text.length + '{"text":""}'.length);
  watched.length = 0;
  await get({});
  expect(watched).toEqual([]);
  expect(unsent.bytes).toBe(0);
  await huge.close();
});

describe('the status listener', () => {
  test('serves area B and health alone, with its error body for everything else', async () => {
    const statusApp = await buildStatusApp(parts);
    expect((await statusApp.inject(PATHS.status)).statusCode).toBe(200);
    expect((await statusApp.inject('/health/readiness')).statusCode).toBe(200);
    for (const path of [PATHS.mirror, PATHS.verify, '/docs', '/metrics', '/']) {
      expect((await statusApp.inject(path)).json(), path).toEqual({ area: 'status', statusCode: 404 });
    }
    await statusApp.close();
  });
});

test.each(['api_key', '%61pi_key', 'API%5FKey', '+api_key'])(
  'a token given as ?%s= is never logged',
  async (name) => {
    const { lines, log } = recordingLog('trace');
    const logged = await buildApp({ ...parts, metrics: new Registry(), log });
    for (const path of ['/v1/pages', '/%761/pages', '//v1/pages', PATHS.verify]) {
      await logged.inject(`${path}?a=1&${name}=s3cret&b=2`);
    }
    await logged.close();
    expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(4);
    expect(lines.join()).not.toContain('s3cret');
  },
);
