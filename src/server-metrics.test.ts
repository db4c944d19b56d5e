import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { sharedPostgres } from '../test/support/postgres.ts';
import { startTestServer } from '../test/support/test-server.ts';
import { registerDatabaseMetrics } from './database-metrics.ts';
import { serveMetrics } from './http/metrics.ts';

async function figures(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('ledgerlens_'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('tell the build, the size of the database and how the components are', async () => {
  const server = await startTestServer({ env: { GIT_COMMIT: 'abc123' }, onDisk: true });
  try {
    const found = await figures(server.url);
    expect(
      found.get(`ledgerlens_build_info{version="0.1.0",commit="abc123",node="${process.version}"}`),
    ).toBe(1);
    expect(found.get('ledgerlens_database_bytes{kind="used"}')).toBeGreaterThan(100_000);
    expect(found.get('ledgerlens_database_bytes{kind="log"}')).toBeGreaterThan(0);
    expect(found.has('ledgerlens_database_bytes{kind="free"}')).toBe(true);
    expect(found.get('ledgerlens_disk_free_ratio')).toBeGreaterThan(0);

    const { service } = server.services.status;
    const { id } = await service.by({ name: 'test' }).createComponent({ name: 'REST "API"' });
    const series = (status: string) =>
      `ledgerlens_status_component{component="REST \\"API\\"",status="${status}"}`;
    expect((await figures(server.url)).get(series('operational'))).toBe(1);
    await service.by({ name: 'test' }).updateComponent(id, { status: 'major_outage' });
    const later = await figures(server.url);
    expect([later.get(series('operational')), later.get(series('major_outage'))]).toEqual([undefined, 1]);
  } finally {
    await server.close();
  }
});

test('tell the pool and the lease of PostgreSQL', async () => {
  const cluster = await sharedPostgres();
  const server = await startTestServer({ env: { DATABASE_URL: await cluster.createDatabase() } });
  try {
    const found = await figures(server.url);
    expect(found.get('ledgerlens_database_connections{state="most"}')).toBe(10);
    const states = ['busy', 'idle'].map((state) =>
      found.get(`ledgerlens_database_connections{state="${state}"}`),
    );
    expect(states.reduce((sum = 0, count = 0) => sum + count)).toBeGreaterThan(0);
    expect(found.has('ledgerlens_database_waiting')).toBe(true);
    expect(found.get('ledgerlens_import_lease_held')).toBe(0);
    expect(found.has('ledgerlens_import_lease_taken_total')).toBe(true);
    expect(found.get('ledgerlens_database_writable')).toBe(1);
    expect(Math.abs(found.get('ledgerlens_clock_ahead_seconds') ?? 99)).toBeLessThan(1);
  } finally {
    await server.close();
  }
});

test('do not count what they ask the database themselves', async () => {
  const cluster = await sharedPostgres();
  const server = await startTestServer({ env: { DATABASE_URL: await cluster.createDatabase() } });
  try {
    // The server has work of its own now and then, so not every look finds it at rest.
    await expect
      .poll(async () => {
        const found = await figures(server.url);
        return ['waiting', 'connections{state="busy"}'].map((name) =>
          found.get(`ledgerlens_database_${name}`),
        );
      })
      .toEqual([0, 0]);
  } finally {
    await server.close();
  }
});

test('a figure that cannot be read takes no other one with it, and comes back', async () => {
  const registry = new Registry();
  let isAway = true;
  registerDatabaseMetrics(registry, {
    size: async () => {
      if (isAway) throw new Error('it does not respond');
      return { bytes: 3, freeBytes: 1, logBytes: 0 };
    },
    freeShare: async () => null,
    writes: () => ({ writes: isAway ? 'refused' : 'working', reason: null }),
    errors: () => ({ busy: 2, fault: 0 }),
    importLease: async () => null,
    ownClock: () => null,
  });
  const app = fastify();
  serveMetrics(app, registry);
  const text = async () => (await app.inject('/metrics')).body;
  expect(await text()).toContain('ledgerlens_database_writable 0\n');
  expect(await text()).toContain('ledgerlens_database_errors_total{class="busy"} 2\n');
  expect(await text()).not.toContain('ledgerlens_database_bytes');
  isAway = false;
  expect(await text()).toContain('ledgerlens_database_bytes{kind="used"} 2\n');
  expect(await text()).toContain('process_cpu_seconds_total');
  await app.close();
});
