import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { EVM_ADDRESS, explorerLedger } from '../../test/kit/mirror/explorer-ledger.ts';
import { DEFAULT_CONFIG } from '../../test/support/default-config.ts';
import { openSqliteStore } from '../../test/support/test-store.ts';
import type { DirectAnswer } from '../http/direct-answer.ts';
import { ManualClock } from '../values/clock.ts';
import { createMirrorArea, type MirrorArea } from './index.ts';
import type { MirrorStore } from './mirror-store.ts';

const NEWEST = '/api/v1/transactions?limit=2';

const PATHS = [
  NEWEST,
  '/api/v1/transactions?order=asc&limit=2',
  '/api/v1/transactions?timestamp=lt:1700000000.000000003',
  '/api/v1/transactions?account.id=nobody',
  '/api/v1/accounts/0.0.1001',
  `/api/v1/accounts/0x${EVM_ADDRESS}`,
  `/api/v1/transactions?account.id=0x${EVM_ADDRESS}`,
  '/api/v1/balances',
  '/api/v1/blocks',
  '/api/v1/contracts/0.0.2001',
  '/api/v1/network/nodes',
  '/api/v1/network/supply',
  '/api/v1/network/exchangerate',
];

type Method = (...args: unknown[]) => unknown;

/** The same store where every answer has to be waited for, as that of a database on another machine. */
function remote(store: MirrorStore): MirrorStore {
  const repositories = Object.entries(store).map(([name, repository]) => [
    name,
    Object.fromEntries(
      Object.entries(repository as object).map(([method, call]) => [
        method,
        typeof call === 'function' ? async (...args: unknown[]) => (call as Method)(...args) : call,
      ]),
    ),
  ]);
  return Object.fromEntries(repositories) as unknown as MirrorStore;
}

/** Two areas on one ledger, of which one has to wait for each answer. */
async function localAndRemote(): Promise<Readonly<Record<'local' | 'remote', MirrorArea>>> {
  const opened = await openSqliteStore();
  onTestFinished(() => opened.close());
  const store = opened.mirror;
  await store.ledger.commitUnits(explorerLedger());
  const areaOn = (each: MirrorStore) =>
    createMirrorArea({
      store: each,
      clock: new ManualClock(Date.UTC(2023, 11, 15)),
      log: { warn() {} },
      options: DEFAULT_CONFIG.mirror,
    });
  return { local: areaOn(store), remote: areaOn(remote(store)) };
}

async function answersOf(area: MirrorArea): Promise<readonly object[]> {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler((error, request, reply) => {
    const { body, statusCode } = area.errors.fromError(error, request);
    return reply.code(statusCode).send(body);
  });
  await app.register(area.routes);
  const answers: object[] = [];
  // Twice: the second time some of it is kept.
  for (const path of [...PATHS, ...PATHS]) {
    const { body, headers, statusCode } = await app.inject(path);
    const { date: _, ...others } = headers;
    answers.push({ path, statusCode, body, headers: others });
  }
  return answers;
}

test('an area prepares nothing of the rebuild, which one command needs', async () => {
  const opened = await openSqliteStore();
  onTestFinished(() => opened.close());
  const store: MirrorStore = {
    ...opened.mirror,
    rebuild() {
      throw new Error('prepared');
    },
  };
  const make = () =>
    createMirrorArea({
      store,
      clock: new ManualClock(0),
      log: { warn() {} },
      options: DEFAULT_CONFIG.mirror,
    });
  expect(make).not.toThrow();
});

test('an area that has to wait for its store answers as one that has not', async () => {
  const areas = await localAndRemote();
  const [here, there] = [await answersOf(areas.local), await answersOf(areas.remote)];
  expect(here.filter((answer) => 'statusCode' in answer && answer.statusCode === 200).length).toBeGreaterThan(
    10,
  );
  expect(there).toEqual(here);
});

test('the same answer passes the router at once where it is at hand, and later where it has to be waited for', async () => {
  const areas = await localAndRemote();
  const [here, there] = [areas.local, areas.remote].map((area) => area.answerDirectly?.(NEWEST, {}));
  expect(here).toMatchObject({ statusCode: 200 });
  expect(there).toBeInstanceOf(Promise);
  const printed = (answer: DirectAnswer) => ({ ...answer, body: answer.body?.() });
  expect(printed((await there) as DirectAnswer)).toEqual(printed(here as DirectAnswer));
});

test('what is wrong with a request is left to the router, also when that shows later', async () => {
  const areas = await localAndRemote();
  const faulty = '/api/v1/transactions?limit=none';
  for (const { answerDirectly } of [areas.local, areas.remote]) {
    await expect(async () => answerDirectly?.(faulty, {})).rejects.toThrow('Invalid parameter: limit');
  }
});

test('readiness shows what is at hand, and of a store that has to be waited for the newest that arrived', async () => {
  const areas = await localAndRemote();
  const { members } = areas.local.readiness();
  expect(members).toMatchObject({ acceptedGaps: [], missingSidecars: { sidecars: 0, units: 0 } });
  expect(areas.remote.readiness().members).toEqual(members);
});
