import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStatusArea, START } from '../../../test/kit/status/open-status-area.ts';
import { openSharedDatabase } from '../../../test/kit/storage/shared-database.ts';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { createPostgresWriter } from '../../storage/postgres/postgres-writer.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import { NO_CHANGES } from '../edits/open-page.ts';
import { createStatusStore, statusWrites } from '../status-store.sql.ts';
import type { StatusRepository } from './status-repository.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
});

async function open() {
  const { openSql, pool, close } = await openSharedDatabase(cluster);
  onTestFinished(close);
  return {
    pool,
    openStore() {
      const sql = openSql();
      return createStatusStore(sql, createPostgresWriter(sql, statusWrites(sql)));
    },
    /** Lets the time of the keeper end, as of one that died. */
    async endLease() {
      await pool.query('update status_keeper set until_ms = 0');
    },
    /** Makes a replica look as if it had not handed in anything for a while. */
    async forgetReplica(number: number) {
      await pool.query('update status_replica set seen_ms = seen_ms - 60000 where number = $1', [number]);
    },
  };
}

describe('the keeper of a page', () => {
  test('is one of those that ask together, and stays it', async () => {
    const { openStore } = await open();
    const replicas = Array.from({ length: 5 }, () => openStore().keeping);
    const tokens = await Promise.all(replicas.map((each) => each.hold()));
    expect(tokens.filter((token) => token !== null)).toEqual([1]);
    expect(await Promise.all(replicas.map((each) => each.hold()))).toEqual(tokens);
    expect(replicas.map((each) => each.isKeeper())).toEqual(tokens.map((token) => token !== null));
  });

  test('is another one at once when it ends, and when it gave no sign of life', async () => {
    const { openStore, endLease } = await open();
    const [one, two] = [openStore().keeping, openStore().keeping];
    expect([await one.hold(), await two.hold()]).toEqual([1, null]);
    await one.release();
    expect([await two.hold(), await one.hold()]).toEqual([2, null]);
    await endLease();
    // Nobody took it meanwhile.
    expect([await two.hold(), await one.hold()]).toEqual([2, null]);
    await endLease();
    expect([await one.hold(), await two.hold()]).toEqual([3, null]);
    expect(two.isKeeper()).toBe(false);
    // Nothing of the one that keeps it now.
    await two.release();
    expect(await one.hold()).toBe(3);
  });

  test('stays it as long as one of its writes is under way', async () => {
    const { openStore, endLease, pool } = await open();
    const [one, two] = [openStore().keeping, openStore().keeping];
    await one.hold();
    await endLease();
    const write = await pool.connect();
    await write.query('begin');
    await write.query('select 1 from status_keeper where token = 1 for share');
    expect(await two.hold()).toBeNull();
    await write.query('commit');
    write.release();
    expect(await two.hold()).toBe(2);
  });
});

describe('writes of a keeper that another one has replaced', () => {
  test('are refused, whatever is written, and those of people are not', async () => {
    const { openStore, endLease } = await open();
    const store = openStore();
    const { area } = await openStatusArea({ store });
    const { repository, service } = area;
    await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await store.keeping.hold();
    const lost = store.keeping.token();
    await endLease();
    await openStore().keeping.hold();
    await service.createIncident({ name: 'by hand' });
    const revision = await repository.revision();
    const begin = () => ({ changes: null, downtime: { from: START, to: START + 1 } });
    const change = repository.change(
      null,
      ({ page }) => ({
        changes: { ...NO_CHANGES, page: { ...page, revision: page.revision + 1 } },
        result: null,
      }),
      lost,
    );
    await expect(change).rejects.toThrow(StorageBusyError);
    await expect(repository.beginRun(START, begin, lost)).rejects.toThrow('another server runs');
    await expect(store.deliveries.lease('owner', START, 9, [], lost)).rejects.toThrow(StorageBusyError);
    expect([await repository.revision(), await repository.readDowntimes(0, START + 9)]).toEqual([
      revision,
      [],
    ]);
    expect(await store.deliveries.lease('owner', START, 9)).toHaveLength(1);
  });

  test('are not sent on: who sends gives the subscriber back after what is under way', async () => {
    const { openStore, endLease } = await open();
    const [one, two] = [openStore(), openStore()];
    const { area } = await openStatusArea({ store: one });
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    for (const name of ['I', 'J']) await area.service.createIncident({ name });
    await one.keeping.hold();
    const [first] = await one.deliveries.lease('one', START, 9, [], one.keeping.token());
    await endLease();
    await two.keeping.hold();
    const lease = () => two.deliveries.lease('two', START, 9, [], two.keeping.token());
    expect(await lease()).toEqual([]);
    const end = one.deliveries.settle('one', first!, { kind: 'delivered' }, START, one.keeping.token());
    expect(await end).toBeNull();
    const [second] = await lease();
    expect(second?.id).not.toBe(first?.id);
    expect((await one.deliveries.count()).waiting).toBe(1);
  });
});

describe('what replicas measured', () => {
  test('is the newest sample of each replica that runs', async () => {
    const { openStore, forgetReplica, pool } = await open();
    const [one, two] = [openStore().keeping, openStore().keeping];
    await one.exchange(
      new Map([
        ['database', 'operational'],
        ['chain:1', 'major_outage'],
      ]),
    );
    const found = await two.exchange(new Map([['database', 'partial_outage']]));
    expect([...found]).toEqual([
      ['chain:1', ['major_outage']],
      ['database', ['operational', 'partial_outage']],
    ]);
    // No news of a probe is no end of what it found.
    expect([...(await one.exchange(new Map()))]).toEqual([...found]);
    await forgetReplica(1);
    expect([...(await two.exchange(new Map()))]).toEqual([['database', ['partial_outage']]]);
    await pool.query('update status_sample set at_ms = at_ms - 400000');
    expect([...(await two.exchange(new Map()))]).toEqual([]);
  });
});

describe('several replicas at a time', () => {
  test('take an endpoint once, and write no news for a subscriber that goes', async () => {
    const { openStore } = await open();
    const areas = await Promise.all(
      [0, 1, 2].map(async (index) => (await openStatusArea({ store: openStore(), now: START + index })).area),
    );
    const services = areas.map(({ service }) => service);
    const added = await Promise.allSettled(
      services.flatMap((service) =>
        [1, 2, 3].map(() => service.createSubscriber({ endpoint: 'https://a.example.org/' })),
      ),
    );
    const made = added.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
    expect(made).toHaveLength(1);
    const work = services.map(async (service, index) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const endpoint = `https://${index}-${turn}.example.org/`;
        const { id } = await service.createSubscriber({ endpoint });
        await Promise.all([service.createIncident({ name: 'I' }), service.deleteSubscriber(id)]);
      }
    });
    await Promise.all(work);
    expect(await services[0]?.listSubscribers({ offset: 0, limit: 9 })).toHaveLength(1);
    expect(await areas[0]?.repository.readNotices(0, 99)).toHaveLength(15);
  });

  test('make the page and its components once, and lose no change of another one', async () => {
    const { openStore } = await open();
    const areas = await Promise.all(
      [0, 1, 2, 3].map(async (index) => {
        const options = { builtinComponents: true };
        return (await openStatusArea({ store: openStore(), now: START + index, options })).area;
      }),
    );
    const { repository } = areas[0] ?? expect.fail();
    const { components, page } = await repository.read(null);
    const names = components.map(({ name }) => name);
    expect([new Set(names).size, names.length > 5]).toEqual([names.length, true]);
    const changes = areas.flatMap(({ service }, index) =>
      Array.from({ length: 10 }, (_, turn) => service.createIncident({ name: `${index} ${turn}` })),
    );
    const made = await Promise.all(changes);
    const { incidents, page: after } = await repository.read(null);
    expect(new Set(incidents.map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)));
    expect(after.revision).toBe(page.revision + 40);
  });

  test('that begin to run together count the time without a server once', async () => {
    const { openStore } = await open();
    const pages = [openStore().page, openStore().page, openStore().page];
    const { area } = await openStatusArea({ store: openStore() });
    await area.repository.beat(START);
    const now = START + 600_000;
    const begin = (page: StatusRepository) =>
      page.beginRun(now, (_, { lastBeat }) => ({
        changes: null,
        downtime: lastBeat === START ? { from: lastBeat, to: now } : null,
      }));
    await Promise.all(pages.map(begin));
    expect(await area.repository.readDowntimes(0, now + 1)).toEqual([{ from: START, to: now }]);
  });
});
