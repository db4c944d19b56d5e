import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkService, createServiceProbes } from '../../src/health-probes/services/check-service.ts';
import { createConnect } from '../../src/health-probes/services/open-connection.ts';
import { readServiceProbes } from '../../src/service-probes.ts';
import { ManualClock, systemClock } from '../../src/values/clock.ts';
import { createSelfSignedIdentity } from '../clients/self-signed-certificate.ts';
import { until } from '../support/serve-process.ts';
import { startTestServer } from '../support/test-server.ts';

const DAY_MS = 86_400_000;
const identity = createSelfSignedIdentity('localhost');

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const serve = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer({ keepAliveTimeout: 1 }, answer))}/`;

const serveTls = () =>
  listening(createTlsServer({ key: identity.key, cert: identity.certificate }, (socket) => socket.end()));

function servicesOf(probe: object, names: readonly string[] = ['P']) {
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, probe])));
  const { probes, problems } = readServiceProbes(json, {});
  expect(problems).toEqual([]);
  return probes;
}

/** A stopwatch that says each time that so much has gone by. */
function check(probe: object, { took = 1, inDays = 0, send = fetch, trusts = true } = {}) {
  const [service] = servicesOf(probe);
  const times = [0, took];
  const parts = {
    fetch: send,
    connect: createConnect(trusts ? identity.certificate : undefined),
    clock: new ManualClock(Date.now() + inDays * DAY_MS),
    stopwatch: () => times.shift() ?? 0,
  };
  if (service === undefined) throw new Error('there is no probe');
  return checkService(service, parts, new AbortController().signal);
}

describe('an HTTP probe', () => {
  test.each([
    ['operational', {}, 1],
    ['operational', { expect: { contains: 'all is well' } }, 1],
    ['major_outage', { expect: { contains: 'nothing like it' } }, 1],
    ['major_outage', { expect: { status: [201, '300-399'] } }, 1],
    ['operational', { expect: { maxMs: 50 } }, 50],
    ['major_outage', { expect: { maxMs: 50 } }, 51],
  ])('finds %s with %j after %i ms', async (level, members, took) => {
    const url = await serve((_, response) => {
      response.write('x'.repeat(100_000));
      response.end('here all is well');
    });
    expect(await check({ http: { url, ...members } }, { took })).toMatchObject({ level, durationMs: took });
  });

  test('sends what it is told to', async () => {
    const url = await serve(async (request, response) => {
      const chunks = await request.toArray();
      response.end(`${request.method} ${request.headers['x-key']} ${Buffer.concat(chunks)}`);
    });
    const http = {
      url,
      method: 'POST',
      headers: { 'X-Key': 'k' },
      body: 'b',
      expect: { contains: 'POST k b' },
    };
    expect(await check({ http })).toMatchObject({ level: 'operational' });
  });

  test('is slow by its thresholds', async () => {
    const url = await serve((_, response) => response.end());
    const thresholds = { degraded_performance: 10, partial_outage: 20 };
    const found = await Promise.all(
      [10, 11, 21].map(async (took) => (await check({ http: { url }, thresholds }, { took })).level),
    );
    expect(found).toEqual(['operational', 'degraded_performance', 'partial_outage']);
  });

  test('follows redirects only when told to', async () => {
    const url = await serve(({ url: path }, response) =>
      path === '/' ? response.writeHead(302, { location: '/end' }).end() : response.end(),
    );
    expect(await check({ http: { url } })).toMatchObject({ level: 'major_outage' });
    expect(await check({ http: { url, followRedirects: true } })).toMatchObject({ level: 'operational' });
  });

  test('reads a mebibyte of an answer that does not end', async () => {
    let isClosed = false;
    const url = await serve((_, response) => {
      response.once('close', () => {
        isClosed = true;
      });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const http = { url, expect: { contains: 'y' } };
    expect(await check({ http })).toMatchObject({
      level: 'major_outage',
      detail: expect.stringContaining('does not contain'),
    });
    await expect(until('the connection is closed', async () => isClosed, 5000)).resolves.toBeUndefined();
  });

  test('a service that is silent or gone is out, and the detail names its host alone', async () => {
    const silent = await serve(() => undefined);
    const { host } = new URL(silent);
    expect(await check({ http: { url: `${silent}?key=secret` }, timeoutMs: 50 })).toEqual({
      level: 'major_outage',
      detail: `${host}: no response in time`,
    });
    const send = async () => Promise.reject(new TypeError('GET /?key=secret', { cause: { code: 5 } }));
    expect((await check({ http: { url: `${silent}?key=secret` } }, { send })).detail).toBe(
      `${host}: no response`,
    );
  });

  test('looks at the certificate of an https address', async () => {
    const http = { url: `https://localhost:${await serveTls()}/`, certificate: { warnDays: 2 } };
    const send = async () => new Response('');
    expect(await check({ http }, { send })).toMatchObject({ level: 'degraded_performance' });
  });
});

describe('TCP and TLS probes', () => {
  test('a port that takes connections, and one that does not', async () => {
    const server = createTcpServer((socket) => socket.end());
    const port = await listening(server);
    expect(await check({ tcp: { host: '127.0.0.1', port } })).toMatchObject({ level: 'operational' });
    await new Promise((done) => server.close(done));
    expect(await check({ tcp: { host: '127.0.0.1', port } })).toEqual({
      level: 'major_outage',
      detail: '127.0.0.1: no response (ECONNREFUSED)',
    });
  });

  test.each([
    ['operational', { warnDays: 0 }, 0],
    ['degraded_performance', { warnDays: 2 }, 0],
    ['major_outage', { warnDays: 5, failDays: 2 }, 0],
    ['major_outage', {}, 2],
  ])('a certificate of one more day is %s with %j in %i days', async (level, limits, inDays) => {
    const tls = { host: 'localhost', port: await serveTls(), ...limits };
    expect(await check({ tls }, { inDays })).toMatchObject({ level });
  });

  test('a certificate that is not trusted, or of another host', async () => {
    const port = await serveTls();
    expect(await check({ tls: { host: 'localhost', port } }, { trusts: false })).toMatchObject({
      level: 'major_outage',
      detail: expect.stringMatching(/^localhost: the certificate is not trusted: [A-Z_]*SELF_SIGNED/),
    });
    expect(await check({ tls: { host: '127.0.0.1', port } })).toMatchObject({
      detail: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  test('a server that accepts and does not speak TLS is out in time', async () => {
    const port = await listening(createTcpServer());
    expect(await check({ tls: { host: 'localhost', port }, timeoutMs: 50 })).toMatchObject({
      detail: 'localhost: no response in time',
    });
  });
});

describe('probes of services', () => {
  function held(count: number) {
    const open: ((answer: Response) => void)[] = [];
    const closing = new AbortController();
    const clock = new ManualClock(0);
    const names = Array.from({ length: count }, (_, index) => `P${index}`);
    const probes = createServiceProbes(servicesOf({ http: { url: 'http://x/' } }, names), {
      fetch: (_, init) =>
        new Promise((answer, failed) => {
          open.push(answer);
          init?.signal?.addEventListener('abort', () => failed(init.signal?.reason));
        }),
      connect: createConnect(),
      clock,
      stopwatch: () => 0,
      signal: closing.signal,
    });
    const round = () => Promise.all(probes.map((probe) => probe.check()));
    return { open, closing, clock, round };
  }

  test('eight are asked at the same time, and none again before it has answered', async () => {
    const { open, clock, round } = held(9);
    expect(await round()).toEqual(Array(9).fill(null));
    clock.advance(60_000);
    await round();
    expect(open).toHaveLength(8);
    open[0]?.(new Response(''));
    await until('the ninth is asked', async () => open.length === 9, 5000);
    expect((await round()).map((sample) => sample?.level)).toEqual([
      'operational',
      ...Array(8).fill(undefined),
    ]);
  });

  test('one is asked when it is due, and its sample is taken once', async () => {
    const { open, clock, round } = held(1);
    await round();
    open[0]?.(new Response('', { status: 500 }));
    await until('it is known', async () => (await round())[0]?.level === 'major_outage', 5000);
    clock.advance(45_000);
    expect(await round()).toEqual([null]);
    expect(open).toHaveLength(1);
    clock.advance(15_000);
    await round();
    expect(open).toHaveLength(2);
  });

  test('the end of the server cuts them off, and that is no sample', async () => {
    const { open, closing, clock, round } = held(9);
    await round();
    closing.abort();
    clock.advance(60_000);
    await new Promise((done) => setImmediate(done));
    expect(await round()).toEqual(Array(9).fill(null));
    expect(open).toHaveLength(8);
  });
});

test('a service that goes down shows on the page, and comes back', async () => {
  let status = 200;
  const url = await serve((_, response) => response.writeHead(status).end());
  const clock = new ManualClock(systemClock.now());
  const rounds: (() => Promise<void>)[] = [];
  const server = await startTestServer({
    clock,
    repeat: (work, everyMs) => {
      if (everyMs === 15_000) rounds.push(work);
      return async () => undefined;
    },
    env: {
      STATUS_PROBES_OFF: 'verification-api,verification-queue,compilers,mirror-api,fee-estimation,database',
      STATUS_PROBES: JSON.stringify({ Explorer: { group: 'Network', everySeconds: 15, http: { url } } }),
    },
  });
  onTestFinished(() => server.close());
  const shows = (wanted: string) =>
    until(
      `the page shows ${wanted}`,
      async () => {
        clock.advance(15_000);
        for (const round of rounds) await round();
        const answer = await fetch(`${server.url}/api/v2/summary.json`);
        const { components, status: overall } = (await answer.json()) as {
          components: { name: string; status: string }[];
          status: { indicator: string };
        };
        const found = components.find(({ name }) => name === 'Explorer');
        return `${found?.status} ${overall.indicator}` === wanted;
      },
      20_000,
    );
  await shows('operational none');
  status = 503;
  await expect(shows('major_outage critical')).resolves.toBeUndefined();
  status = 200;
  await expect(shows('operational none')).resolves.toBeUndefined();
});
