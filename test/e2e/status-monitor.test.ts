import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createHealthProbes } from '../../src/health-probes/create-health-probes.ts';
import { createConnect } from '../../src/health-probes/services/open-connection.ts';
import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { systemClock } from '../../src/values/clock.ts';
import { startTestServer } from '../support/test-server.ts';

describe('probes of the whole server', () => {
  test('a fresh server works in every part that it has', async () => {
    const server = await startTestServer({ stubChain: '31337' });
    onTestFinished(() => server.close());
    const { services, app, store } = server;
    const config = readConfig({ DATABASE_URL: 'sqlite::memory:' });
    const probes = createHealthProbes({
      config,
      maintenance: store.maintenance,
      verify: services.verify,
      networkVersion: () => null,
      ingestStates: () => services.imports.states(),
      registry: services.metrics,
      clock: systemClock,
      fetch: async () => new Response('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'),
      connect: createConnect(),
      signal: new AbortController().signal,
      feeSample: aTransfer(1),
      request: () => async (request) => app.inject(request),
    });
    const found = await Promise.all(probes.map(async (probe) => [probe.name, (await probe.check())?.level]));
    expect(found).toEqual(
      [
        'verification-api',
        'verification-queue',
        'compilers',
        'mirror-api',
        'fee-estimation',
        'database',
        'chain:31337',
      ].map((name) => [name, 'operational']),
    );
  });

  test('the first start makes a component for each, in the order of the contract', async () => {
    const server = await startTestServer({ env: { STATUS_PROBES_OFF: 'compilers' }, stubChain: '31337' });
    onTestFinished(() => server.close());
    const components = await server.services.status.service.listComponents();
    const groups = components.filter(({ group }) => group);
    const names = groups.map(({ id, name }) => [
      name,
      ...components.filter(({ group_id }) => group_id === id).map((each) => each.name),
    ]);
    expect(names).toEqual([
      ['Contract verification', 'Verification API', 'Verification queue'],
      ['Ledger mirror', 'Mirror REST API', 'Fee estimation'],
      ['Platform', 'Database'],
      ['Chains', 'stub'],
    ]);
  });
});
