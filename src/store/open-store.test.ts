import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aTransaction } from '../../test/kit/mirror/ledger-rows.ts';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { ADDRESS } from '../../test/kit/verify/a-queue.ts';
import { setSchemaVersion } from '../../test/support/sqlite-file.ts';
import { fixtureUnit } from '../mirror/ledger/fixture-unit.ts';
import { type DatabaseLocation, IN_MEMORY, parseDatabaseUrl } from './database-url.ts';
import { backendOf, openSharedStore, openStore } from './open-store.ts';
import type { OpenOptions, Store, StoreConfig } from './store.ts';

const START = 1_700_000_000_000_000_000n;
const LIMITS = { jobs: 10, bytes: 1_000_000 };
const NEW_JOB = {
  id: '1',
  chainId: '1',
  address: ADDRESS,
  startedAt: 1,
  submission: { kind: 'packed', input: '{}', packed: null, bytes: 2 },
  warnings: [],
} as const;

const aFile = (): DatabaseLocation => parseDatabaseUrl(`sqlite:${join(aFolder(), 'l.sqlite')}`);

function configOf(database: DatabaseLocation): StoreConfig {
  return { database, mirror: { dialect: 'spec', shard: 0n, realm: 0n, transactionBytes: false } };
}

async function open(database: DatabaseLocation, options: Partial<OpenOptions> = {}): Promise<Store> {
  const log = { info() {}, warn() {}, error() {} };
  const store = await openStore(configOf(database), { log, ...options });
  onTestFinished(() => store.close());
  return store;
}

const aUnit = () => fixtureUnit('a', { transactions: [aTransaction(START)] });

describe.each([
  ['in memory', () => IN_MEMORY, {}],
  ['in a file', aFile, {}],
  ['of a server', aFile, { isServing: true }],
])('a store %s', (_name, location, options) => {
  test('keeps what each area gives it', async () => {
    const store = await open(location(), options);
    expect(await store.verify.jobs.insert(NEW_JOB, LIMITS)).toBe('inserted');
    expect(await store.verify.jobs.count()).toEqual({ waiting: 1, running: 0 });
    expect(await store.verify.jobs.submissionOf('1')).toEqual({ input: '{}', packed: null });
    expect(await store.status.deliveries.count()).toEqual({ waiting: 0, givenUp: 0 });
    expect(await store.status.page.readNotices(0, 10)).toEqual([]);
    expect(await store.mirror.gaps.accepted()).toEqual([]);
    expect(store.mirror).toBe(store.mirror);
    await store.maintenance.health.check(1);
    expect(store.maintenance.writes()).toEqual({ writes: 'working', reason: null });
  });

  test('may be closed twice', async () => {
    const store = await open(location(), options);
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });
});

test('the ledger of a store is read and reported', async () => {
  const { mirror } = await open(IN_MEMORY);
  expect(await mirror.ledger.commitUnit(aUnit())).toBe('stored');
  expect(await mirror.reader.newestConsensusEnd()).toBe(START);
  expect(await mirror.transactions.oldestTimestamp()).toBe(START);
  expect(await mirror.report.unitRuns()).toMatchObject([{ units: 1, transactions: 1 }]);
  expect(await mirror.report.continuity()).toMatchObject({ units: 1, breaks: [] });
  expect(await mirror.retention.hasPruned()).toBe(false);
});

describe('another thread', () => {
  test('opens the store of a file, whatever else was configured', async () => {
    const database = aFile();
    const store = await open(database, { isServing: true });
    const { shared } = store.maintenance;
    // It travels between threads.
    const other = await openSharedStore(structuredClone(shared!));
    onTestFinished(() => other.close());
    expect(await other.mirror.ledger.commitUnit(aUnit())).toBe('stored');
    expect(await store.mirror.reader.newestConsensusEnd()).toBe(START);
  });

  test('does not make a database where it is gone', async () => {
    const database = aFile();
    const store = await open(database);
    const { shared } = store.maintenance;
    renameSync(database.path!, `${database.path}.away`);
    await expect(openSharedStore(shared!)).rejects.toMatchObject({
      code: 'storage_fault',
      reason: 'the database file was deleted',
    });
    expect(existsSync(database.path!)).toBe(false);
  });

  test('cannot open one in memory', async () => {
    expect((await open(IN_MEMORY)).maintenance.shared).toBeNull();
  });
});

describe('before a store is opened', () => {
  test('a file is missing until it is migrated, which is needed once', async () => {
    const database = aFile();
    expect(backendOf(database).missing(database)).toBe(`${database.path} does not exist`);
    const first = await backendOf(database).migrate(database);
    expect([first.from, first.pending.length]).toEqual([0, first.to]);
    expect(backendOf(database).missing(database)).toBeNull();
    expect(await backendOf(database).migrate(database)).toEqual({
      from: first.to,
      to: first.to,
      pending: [],
    });
  });

  test('it is examined without being changed', async () => {
    const database = aFile();
    await backendOf(database).migrate(database);
    const report = await backendOf(database).examine(database, async ({ integrity, mirror, schema }) => ({
      integrity: [false, true].map(integrity),
      isCurrent: schema.from === schema.to,
      units: (await mirror?.report.continuity())?.units,
    }));
    expect(report).toEqual({ integrity: ['ok', 'ok'], isCurrent: true, units: 0 });
  });

  test('a schema of another build shows no ledger', async () => {
    const database = aFile();
    setSchemaVersion(database.path!, 9999);
    const found = await backendOf(database).examine(database, async ({ mirror, schema }) => ({
      mirror,
      from: schema.from,
    }));
    expect(found).toEqual({ mirror: null, from: 9999 });
  });
});

test('a disk has a free share only under a database that lies on one', async () => {
  expect(await (await open(IN_MEMORY)).maintenance.freeShare()).toBeNull();
  const free = await (await open(aFile())).maintenance.freeShare();
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(1);
});
