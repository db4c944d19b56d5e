import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { requestObservers, timeRequests } from '../http/metrics.ts';
import { type IngestState, idleState } from '../mirror/ingest/report/ingest-state.ts';
import { DEFAULT_THRESHOLDS } from '../status/monitor/thresholds.ts';
import { ManualClock } from '../values/clock.ts';
import { consensusTimestamp } from '../values/consensus-timestamp.ts';
import { StorageBusyError } from '../values/storage-errors.ts';
import { createApiProbe, createFeeProbe } from './api-probe.ts';
import {
  createChainProbes,
  createCompilersProbe,
  createDatabaseProbe,
  createFreshnessProbe,
  createQueueProbe,
  createSourceProbe,
} from './create-health-probes.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const clock = () => new ManualClock(NOW);
const level = async (probe: { check(): Promise<{ level: string } | null> }) =>
  (await probe.check())?.level ?? null;

describe('database probe', () => {
  const probe = (settings: { took?: number; free?: number | null; answer?: Error }) => {
    const times = [0, settings.took ?? 1];
    return createDatabaseProbe({
      health: {
        async check() {
          if (settings.answer !== undefined) throw settings.answer;
        },
      },
      clock: clock(),
      stopwatch: () => times.shift() ?? 0,
      thresholds: DEFAULT_THRESHOLDS,
      freeShare: async () => settings.free ?? null,
    });
  };

  test.each([
    ['operational', {}],
    ['operational', { took: 250, free: 0.15 }],
    ['degraded_performance', { took: 251 }],
    ['partial_outage', { took: 2001 }],
    ['degraded_performance', { free: 0.14 }],
    ['partial_outage', { free: 0.04 }],
    ['major_outage', { free: 0.009 }],
    ['major_outage', { answer: new Error('disk I/O error') }],
    ['operational', { answer: new StorageBusyError('another process holds the write lock') }],
  ])('finds %s with %o', async (expected, settings) => {
    expect(await level(probe(settings))).toBe(expected);
  });

  test('a lock that is held for minutes keeps everybody from writing', async () => {
    let at = 0;
    const health = { check: async () => Promise.reject(new StorageBusyError('it is locked')) };
    const held = createDatabaseProbe({
      health,
      clock: clock(),
      stopwatch: () => at,
      thresholds: DEFAULT_THRESHOLDS,
      freeShare: async () => null,
    });
    expect(await level(held)).toBe('operational');
    at = 61_000;
    expect(await level(held)).toBe('degraded_performance');
    at = 301_000;
    expect(await level(held)).toBe('partial_outage');
  });
});

describe('verification probes', () => {
  const queue = (ready: boolean, waitsSeconds: number | null) =>
    createQueueProbe(
      {
        readiness: () => ({ ready, members: {} }),
        repositories: {
          jobs: { oldestWaiting: async () => (waitsSeconds === null ? null : NOW - waitsSeconds * 1000) },
        },
      } as never,
      clock(),
      DEFAULT_THRESHOLDS.queue,
    );

  test.each([
    ['operational', true, null],
    ['operational', true, 60],
    ['degraded_performance', true, 61],
    ['partial_outage', true, 301],
    ['major_outage', true, 1801],
    ['major_outage', false, null],
  ])('the queue is %s', async (expected, ready, seconds) => {
    expect(await level(queue(ready, seconds))).toBe(expected);
  });

  test('compilers: none, some with problems, a download that failed within a quarter of an hour', async () => {
    const compilers = (count: number, problems: readonly string[], downloadFailedAt: number | null) =>
      createCompilersProbe(
        {
          compilers: { list: async () => ({ compilers: Array(count), problems }) },
          downloadFailedAt,
        } as never,
        clock(),
      );
    expect(await level(compilers(3, [], null))).toBe('operational');
    expect(await level(compilers(0, [], null))).toBe('major_outage');
    expect(await level(compilers(3, ['no checksum'], null))).toBe('degraded_performance');
    expect(await level(compilers(3, [], NOW - 60_000))).toBe('degraded_performance');
    expect(await level(compilers(3, [], NOW - 901_000))).toBe('operational');
  });

  test('compilers are looked at once a minute', async () => {
    const time = clock();
    const list = async () => ({ compilers: [{}], problems: [] });
    const probe = createCompilersProbe({ compilers: { list }, downloadFailedAt: null } as never, time);
    expect(await level(probe)).toBe('operational');
    time.advance(59_999);
    expect(await level(probe)).toBeNull();
    time.advance(1);
    expect(await level(probe)).toBe('operational');
  });
});

describe('ledger probes', () => {
  const state = (lagSeconds: number | null, more: Partial<IngestState> = {}): IngestState => ({
    ...idleState('folder'),
    state: 'running',
    verification: 'signatures',
    lastConsensusTimestamp:
      lagSeconds === null ? null : consensusTimestamp(BigInt(NOW - lagSeconds * 1000) * 1_000_000n),
    ...more,
  });
  const freshness = (...states: IngestState[]) =>
    createFreshnessProbe({
      states: () => states,
      required: 'signatures',
      clock: clock(),
      limits: DEFAULT_THRESHOLDS.lag,
    });

  test.each([
    ['operational', [state(15)]],
    ['degraded_performance', [state(16)]],
    ['partial_outage', [state(61)]],
    ['major_outage', [state(601)]],
    ['major_outage', [state(null)]],
    ['operational', [state(null), state(1)]],
    ['partial_outage', [state(1, { gap: { name: 'x', message: 'y' } })]],
    ['degraded_performance', [state(1, { verification: 'chain' })]],
    ['operational', [state(1, { state: 'gap', gap: { name: 'x', message: 'y' } }), state(1)]],
    ['partial_outage', [state(20, { state: 'gap', gap: { name: 'x', message: 'y' } }), state(20)]],
    [
      'partial_outage',
      [state(1, { state: 'fork', gap: { name: 'x', message: 'y' } }), state(1, { state: 'failed' })],
    ],
  ])('the ledger is %s', async (expected, states) => {
    expect(await level(freshness(...states))).toBe(expected);
  });

  test('sources that cannot be read', async () => {
    const sources = (...states: IngestState[]) => level(createSourceProbe({ states: () => states }));
    expect(await sources(state(1), state(1))).toBe('operational');
    expect(await sources(state(1, { state: 'failed' }), state(1))).toBe('partial_outage');
    expect(await sources(state(1, { state: 'failed' }))).toBe('major_outage');
  });
});

describe('chain probes', () => {
  const chain = (...urls: string[]) =>
    ({
      chainId: '5',
      name: 'five',
      title: null,
      rpc: urls.map((url) => ({ url })),
      supported: true,
      showRpc: false,
      ledger: false,
      static: {},
    }) as const;
  const answers: Readonly<Record<string, unknown>> = { 'http://right/': '0x5', 'http://wrong/': '0x6' };
  const ask: typeof fetch = async (url) => {
    if (!(String(url) in answers)) throw new Error('no answer');
    return new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answers[String(url)] }));
  };

  test.each([
    ['operational', ['http://right/']],
    ['degraded_performance', ['http://right/', 'http://gone/']],
    ['degraded_performance', ['http://right/', 'http://wrong/']],
    ['major_outage', ['http://wrong/', 'http://gone/?key=secret']],
  ])('a chain is %s with %o', async (expected, urls) => {
    const [probe] = createChainProbes([chain(...urls)], ask, clock(), () => 0);
    const sample = await probe?.check();
    expect([probe?.name, sample?.level]).toEqual(['chain:5', expected]);
    expect(sample?.detail ?? '').not.toContain('secret');
    expect(await probe?.check()).toBeNull();
  });

  test.each([
    [30, ['http://right/', 'http://gone/']],
    [30, ['http://gone/', 'http://right/']],
    [undefined, ['http://gone/']],
  ])('its response time is that of the first endpoint that works: %o ms of %o', async (expected, urls) => {
    let time = 0;
    const slowly: typeof fetch = async (url, options) => {
      time += String(url) === 'http://right/' ? 30 : 0;
      return ask(url, options);
    };
    const [probe] = createChainProbes([chain(...urls)], slowly, clock(), () => time);
    expect((await probe?.check())?.durationMs).toBe(expected);
  });

  test('a chain without endpoints has none', () => {
    expect(createChainProbes([chain()], ask, clock(), () => 0)).toEqual([]);
  });
});

describe('fee probe', () => {
  const probe = (statusCode: number, body: string, took = 1) => {
    const times = [0, took];
    const request = async () => ({ statusCode, body });
    return createFeeProbe({
      sample: Buffer.alloc(1),
      request: () => request,
      clock: clock(),
      stopwatch: () => times.shift() ?? 0,
      thresholds: DEFAULT_THRESHOLDS,
    });
  };

  test('an estimate is right, slow, without a total or refused', async () => {
    expect(await level(probe(200, '{"service":{},"total":1000000}'))).toBe('operational');
    expect(await level(probe(200, '{"total":1}', 501))).toBe('degraded_performance');
    expect(await level(probe(200, '{"total":0}'))).toBe('partial_outage');
    expect(await level(probe(500, ''))).toBe('major_outage');
  });
});

describe('API probe', () => {
  /** An application whose route fails when asked to, counted as the edge counts. */
  async function api() {
    const registry = new Registry();
    const app = Fastify();
    timeRequests(app, requestObservers(registry));
    app.get('/api/v1/light', async () => 'ok');
    app.get<{ Params: { status: string } }>('/api/v1/calls/:status', async (request, reply) =>
      reply.code(Number(request.params.status)).send('done'),
    );
    const time = clock();
    const probe = createApiProbe({
      name: 'mirror-api',
      isOwn: (route) => route.startsWith('/api/v1/'),
      url: '/api/v1/light',
      expected: 200,
      request: () => async (request) => app.inject(request),
      registry,
      clock: time,
      stopwatch: () => 0,
      thresholds: DEFAULT_THRESHOLDS,
    });
    const calls = async (count: number, status: number) => {
      for (let done = 0; done < count; done += 1) await app.inject(`/api/v1/calls/${status}`);
    };
    await probe.check();
    return { probe, calls, time };
  }

  test.each([
    ['operational', 19, 0],
    ['operational', 1, 99],
    ['degraded_performance', 2, 98],
    ['partial_outage', 10, 90],
    ['major_outage', 50, 50],
  ])('is %s after %i failed and %i other calls', async (expected, failed, right) => {
    const { probe, calls } = await api();
    await calls(failed, 500);
    await calls(right, 200);
    expect(await level(probe)).toBe(expected);
  });

  test('forgets failures after five minutes, and its own requests are no calls', async () => {
    const { probe, calls, time } = await api();
    await calls(30, 503);
    expect(await level(probe)).toBe('major_outage');
    for (let round = 0; round < 21; round += 1) {
      time.advance(15_000);
      await probe.check();
    }
    await calls(19, 500);
    expect(await level(probe)).toBe('operational');
  });

  test('before the application serves there is no sample', async () => {
    const probe = createApiProbe({
      name: 'x',
      isOwn: (route) => route.startsWith('/api/v1/'),
      url: '/',
      expected: 200,
      request: () => null,
      registry: new Registry(),
      clock: clock(),
      stopwatch: () => 0,
      thresholds: DEFAULT_THRESHOLDS,
    });
    expect(await probe.check()).toBeNull();
  });
});
