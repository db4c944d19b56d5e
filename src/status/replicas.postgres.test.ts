import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type OpenStatusArea,
  type OpenStatusAreaSettings,
  openStatusArea,
  START,
} from '../../test/kit/status/open-status-area.ts';
import { receivers } from '../../test/kit/status/receivers.ts';
import { openSharedDatabase } from '../../test/kit/storage/shared-database.ts';
import { type PostgresCluster, startPostgres } from '../../test/support/postgres.ts';
import { createPostgresWriter } from '../storage/postgres/postgres-writer.ts';
import type { HealthProbe, ProbeLevel } from './monitor/health-probe.ts';
import { createStatusStore, statusWrites } from './status-store.sql.ts';

const SAMPLE_MS = 15_000;
const SCHEDULE_MS = 5_000;
const BEAT_MS = 10_000;
const LOOK_MS = 1_000;
const MINUTE = 60_000;

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
});

interface Replica extends OpenStatusArea {
  /** What its probe of the component "Database" finds from now on. */
  finds(level: ProbeLevel): void;
}

/** Replicas of one page, which are started as they are asked for. */
async function aPage() {
  const { openSql, pool, close } = await openSharedDatabase(cluster);
  const running: Replica[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map(({ area }) => area.close()));
    await close();
  });
  let started = 0;
  return {
    /** Lets the time of the keeper end, as of one that died. */
    async endLease() {
      await pool.query('update status_keeper set until_ms = 0');
    },
    /** Makes a replica look as if it had not handed in anything for a while. */
    async forgetReplica(number: number) {
      await pool.query('update status_replica set seen_ms = seen_ms - 60000 where number = $1', [number]);
    },
    async startReplica(
      now = START,
      settings: Pick<OpenStatusAreaSettings, 'metrics' | 'post'> = {},
    ): Promise<Replica> {
      let level: ProbeLevel = 'operational';
      const probe: HealthProbe = { name: 'database', check: async () => ({ level, detail: null }) };
      started += 1;
      const sql = openSql();
      const opened = await openStatusArea({
        store: createStatusStore(sql, createPostgresWriter(sql, statusWrites(sql))),
        probes: [probe],
        // No two make the same ids.
        now: now + started,
        ...settings,
        options: { builtinComponents: true },
      });
      await opened.area.start();
      const replica: Replica = {
        ...opened,
        finds(found) {
          level = found;
        },
      };
      running.push(replica);
      return replica;
    },
    /** Lets rounds pass in all replicas; gives what the page showed after each. */
    async rounds(replicas: readonly Replica[], count: number): Promise<readonly (string | undefined)[]> {
      const shown: (string | undefined)[] = [];
      for (let done = 0; done < count; done += 1) {
        for (const replica of replicas) {
          await replica.turn(SAMPLE_MS);
          replica.clock.advance(SAMPLE_MS);
        }
        shown.push(await statusOf(replicas[0]));
      }
      return shown;
    },
  };
}

async function statusOf(replica: Replica | undefined): Promise<string | undefined> {
  const components = await replica?.area.service.listComponents();
  return components?.find(({ name }) => name === 'Database')?.status;
}
const eventsOf = async ({ area }: Replica) =>
  (await area.repository.readEvents(0)).filter(({ at }) => at > START + 1000).map(({ to }) => to);

/** Every so often in each of them. */
async function turns(replicas: readonly Replica[], everyMs: number): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.turn(everyMs)));
}

describe('a component that three replicas measure', () => {
  async function three() {
    const page = await aPage();
    const replicas = [
      await page.startReplica(),
      await page.startReplica(),
      await page.startReplica(),
    ] as const;
    return { ...page, replicas };
  }

  test.each([0, 1, 2])('works without a flicker when one of them, here %d, finds it out', async (bad) => {
    const { replicas, rounds } = await three();
    replicas[bad]?.finds('major_outage');
    expect(new Set(await rounds(replicas, 12))).toEqual(new Set(['operational']));
    expect(await eventsOf(replicas[0])).toEqual([]);
    expect(replicas[bad]?.logged).toContain('the status of a part of the server changed');
  });

  test('is out when two of them find it out, three samples long, and back after eight good ones', async () => {
    const { replicas, rounds } = await three();
    for (const replica of replicas.slice(1)) replica.finds('major_outage');
    expect(await rounds(replicas, 6)).toContain('major_outage');
    expect(await rounds(replicas, 4)).toEqual(new Array(4).fill('major_outage'));
    replicas[2].finds('operational');
    const after = await rounds(replicas, 12);
    expect([after[0], after.at(-1)]).toEqual(['major_outage', 'operational']);
    expect(await eventsOf(replicas[0])).toEqual(['major_outage', 'operational']);
  });

  test('is out in part when just half of them find it out, after another one ended', async () => {
    const { forgetReplica, replicas, rounds } = await three();
    const [one, two, third] = replicas;
    one.finds('major_outage');
    await rounds(replicas, 6);
    await third.area.close();
    // What it found last counts until it has been away for a while.
    expect(await rounds([one, two], 2)).toEqual(['operational', 'operational']);
    await forgetReplica(3);
    expect((await rounds([one, two], 6)).at(-1)).toBe('partial_outage');
  });

  test('stays as it is shown when another replica keeps the page, which writes nothing anew', async () => {
    const { endLease, replicas, rounds } = await three();
    const [one, two, third] = replicas;
    for (const replica of replicas) replica.finds('degraded_performance');
    await rounds(replicas, 6);
    const revision = await one.area.repository.revision();
    await endLease();
    await turns([two], SCHEDULE_MS);
    expect(new Set(await rounds([two, third, one], 4))).toEqual(new Set(['degraded_performance']));
    expect(await one.area.repository.revision()).toBe(revision);
    for (const replica of replicas) replica.finds('operational');
    expect((await rounds([two, third, one], 12)).at(-1)).toBe('operational');
  });
});

describe('maintenances', () => {
  test('are carried on by one replica, and by another one when that is gone', async () => {
    const { endLease, startReplica } = await aPage();
    const [one, two] = [await startReplica(), await startReplica()];
    const { id } = await two.area.service.createIncident({
      name: 'Upgrade',
      status: 'scheduled',
      scheduled_for: new Date(START + 10 * MINUTE).toISOString(),
      scheduled_until: new Date(START + 20 * MINUTE).toISOString(),
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: true,
    });
    const read = async () =>
      (await one.area.service.readIncident(id)).incident_updates.map(({ status }) => status);
    for (const { clock } of [one, two]) clock.advance(11 * MINUTE);
    await turns([two], SCHEDULE_MS);
    expect(await read()).toEqual(['scheduled']);
    await turns([one, two], SCHEDULE_MS);
    expect(await read()).toEqual(['in_progress', 'scheduled']);
    for (const { clock } of [one, two]) clock.advance(10 * MINUTE);
    // The first one is gone.
    await endLease();
    await turns([two], SCHEDULE_MS);
    expect(await read()).toEqual(['completed', 'in_progress', 'scheduled']);
    await turns([one], SCHEDULE_MS);
    expect(await read()).toHaveLength(3);
  });
});

describe('the outbox', () => {
  test('is sent by one replica, once, and by another one when that is gone', async () => {
    const { post, ids } = receivers();
    const senders: string[] = [];
    const sending = (sender: string) => ({
      post: (async (request, signal) => {
        senders.push(sender);
        return post(request, signal);
      }) satisfies typeof post,
    });
    const { endLease, startReplica } = await aPage();
    const replicas = [
      await startReplica(START, sending('one')),
      await startReplica(START, sending('two')),
    ] as const;
    const [one, two] = replicas;
    const told = async () => {
      // Their clocks differ a little.
      for (const { clock } of replicas) clock.advance(1_000);
      await turns(replicas, LOOK_MS);
      await Promise.all(replicas.map(({ area }) => area.settled()));
      return senders;
    };
    await two.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await two.area.service.createIncident({ name: 'I' });
    expect(await told()).toEqual(['one']);
    await endLease();
    await turns([two], SCHEDULE_MS);
    // It does not know yet that it was replaced.
    await one.area.service.createIncident({ name: 'J' });
    expect(await told()).toEqual(['one', 'two']);
    expect(new Set(ids()).size).toBe(2);
  });

  test('is sent at once by the next one when a server ends in order', async () => {
    const { post, count } = receivers();
    const { startReplica } = await aPage();
    const [one, two] = [await startReplica(), await startReplica(START, { post })];
    await two.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await two.area.service.createIncident({ name: 'I' });
    await two.area.settled();
    expect(count()).toBe(0);
    await one.area.close();
    await turns([two], SCHEDULE_MS);
    await two.area.settled();
    expect(count()).toBe(1);
  });
});

test('figures tell which replica keeps the page', async () => {
  const { endLease, startReplica } = await aPage();
  const registries = [new Registry(), new Registry()] as const;
  const replicas = [
    await startReplica(START, { metrics: registries[0] }),
    await startReplica(START, { metrics: registries[1] }),
  ] as const;
  const figures = () =>
    Promise.all(
      registries.map(async (each) => {
        const [{ value } = { value: null }] =
          (await each.getSingleMetric('ledgerlens_status_keeper')?.get())?.values ?? [];
        return value;
      }),
    );
  expect(await figures()).toEqual([1, 0]);
  await endLease();
  await turns([replicas[1]], SCHEDULE_MS);
  await turns([replicas[0]], SCHEDULE_MS);
  expect(await figures()).toEqual([0, 1]);
});

describe('time without a server', () => {
  const downtimes = ({ area }: Replica) => area.repository.readDowntimes(0, START + 99 * MINUTE);

  test('is none when one replica is started again, the keeper or another one', async () => {
    const { endLease, startReplica } = await aPage();
    const [one, two] = [await startReplica(), await startReplica()];
    // Long after the page was made, with the signs of life of the keeper alone.
    one.clock.advance(30 * MINUTE);
    await turns([one, two], BEAT_MS);
    await startReplica(START + 30 * MINUTE);
    expect(await downtimes(one)).toEqual([]);
    one.clock.advance(30 * MINUTE);
    two.clock.advance(60 * MINUTE);
    // The keeper is killed, and the start that follows finds nobody who keeps the page.
    await turns([one], BEAT_MS);
    await endLease();
    const again = await startReplica(START + 60 * MINUTE + BEAT_MS);
    expect(again.logged).not.toContain('no server was running for a while');
    expect(await downtimes(again)).toEqual([]);
  });

  test('is none when a replica that runs keeps the page after a pause', async () => {
    const { endLease, startReplica } = await aPage();
    const [, two] = [await startReplica(), await startReplica()];
    two.clock.advance(10 * MINUTE);
    await endLease();
    await turns([two], SCHEDULE_MS);
    expect(two.logged).not.toContain('no server was running for a while');
    expect(await downtimes(two)).toEqual([]);
  });

  test('is counted once when all were away and start together', async () => {
    const { endLease, startReplica } = await aPage();
    const one = await startReplica();
    await turns([one], BEAT_MS);
    await endLease();
    const away = 10 * MINUTE;
    const [two] = await Promise.all([startReplica(START + away), startReplica(START + away)]);
    expect(await downtimes(two)).toMatchObject([{ from: START + 1 }]);
    const outages = (await two.area.repository.readEvents(0)).filter(({ to }) => to === 'major_outage');
    expect(outages).toMatchObject([{ at: START + 1 }]);
  });
});
