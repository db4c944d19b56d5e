import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { twoReplicas } from '../../../../test/kit/storage/two-replicas.ts';
import {
  ADDRESS,
  ANY_JOB,
  aLease,
  anEnd,
  aQueue,
  closeQueues,
  FAILED,
  OTHER_ADDRESS,
  queueOn,
  type TestQueue,
} from '../../../../test/kit/verify/a-queue.ts';
import { aCompilation, aMatch } from '../../../../test/kit/verify/a-verification.ts';
import { innocent, POISON, World } from '../../../../test/kit/verify/dying-servers.ts';
import { type PostgresCluster, startPostgres } from '../../../../test/support/postgres.ts';
import { createPostgresWriter } from '../../../storage/postgres/postgres-writer.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Hex } from '../../../values/hex.ts';
import { createVerifyStore } from '../../verify-store.sql.ts';
import { JobCompletions } from './job-completions.ts';
import { JobDispatcher } from './job-dispatcher.ts';
import { jobWrites } from './job-writes.sql.ts';
import { distinctHost, type HostFacts } from './lease-owner.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster?.stop());
afterEach(closeQueues);

const open = (sql: Sql) => queueOn(createVerifyStore(sql, createPostgresWriter(sql, jobWrites(sql))));
const addressOf = (index: number): Hex => `0x${String(index).padStart(40, '0')}`;
const A_SUBMISSION = { input: '{}', packed: null } as const;
const LIMITS = { jobs: 1000, bytes: 1e9 };
const BUSY = { ...ANY_JOB, isIdle: false };

describe('two replicas on one database', () => {
  test('an address has one unfinished job, also when the other one is not committed yet', async () => {
    const { first, hold, waiting, pool } = await twoReplicas(cluster, open);
    const job = {
      chainId: '1',
      address: ADDRESS,
      startedAt: 1,
      warnings: [],
      client: null,
      bytes: 2,
      limits: LIMITS,
    };
    const held = await hold((sql) => jobWrites(sql).insert({ ...job, id: 'held', stored: A_SUBMISSION }));
    expect(held.result).toBe('inserted');
    const second = first.insert(ADDRESS, { id: 'second', limits: LIMITS });
    await waiting(1);
    await held.commit();
    expect(await second).toBe('duplicate');
    const { rows } = await pool.query('select job_id from verification_job_input');
    expect(rows).toEqual([{ job_id: 'held' }]);
  });

  test('of many submissions for one address one is taken', async () => {
    const { first, second } = await twoReplicas(cluster, open);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).insert()),
    );
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(19);
  });

  test('no job is claimed twice, and a claim does not wait for another one', async () => {
    const { first, second, hold } = await twoReplicas(cluster, open);
    for (let index = 0; index < 20; index++) await first.insert(addressOf(index), { limits: LIMITS });
    const held = await hold((sql) => jobWrites(sql).claim({ ...aLease('held', 1), ...ANY_JOB }));
    const claims = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 2 === 0
          ? first.jobs.claim(aLease('a', 1), ANY_JOB)
          : second.jobs.claim(aLease('b', 1), ANY_JOB),
      ),
    );
    await held.commit();
    const ids = [...claims.flatMap((job) => (job === null ? [] : [job.id])), held.result?.id];
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(20);
  });

  test('two replicas that claim at once find jobs while any wait, also those of one client', async () => {
    const { first, second } = await twoReplicas(cluster, open);
    // Many: what a claim does to the others of its client takes time.
    const limits = { ...LIMITS, jobs: 1000 };
    for (let index = 0; index < 400; index++) await first.insert(addressOf(index), { limits, client: 'a' });
    const claimed = new Set<string | undefined>();
    for (let round = 0; round < 100; round++) {
      const jobs = await Promise.all([
        first.jobs.claim(aLease('one', 1), ANY_JOB),
        second.jobs.claim(aLease('two', 1), ANY_JOB),
      ]);
      for (const job of jobs) claimed.add(job?.id);
    }
    expect(claimed.has(undefined)).toBe(false);
    expect(claimed.size).toBe(200);
  });

  test('a replica that is busy does not hide a suspect from one that is idle', async () => {
    const { first, second, hold } = await twoReplicas(cluster, open);
    await first.insert(ADDRESS, { id: 'suspect' });
    await first.jobs.claim(aLease('gone', 1), ANY_JOB);
    await first.jobs.takeBack((owner) => owner === 'gone', 2);
    await first.insert(OTHER_ADDRESS, { id: 'ordinary' });
    const held = await hold((sql) => jobWrites(sql).claim({ ...aLease('busy', 2), ...BUSY }));
    expect(held.result).toBeNull();
    expect(await second.jobs.claim(aLease('idle', 2), ANY_JOB)).toMatchObject({ id: 'suspect' });
    await held.commit();
    // The one that is busy goes on with other jobs while the suspect runs elsewhere.
    expect(await first.jobs.claim(aLease('busy', 2), BUSY)).toMatchObject({ id: 'ordinary' });
  });

  test('one crash is counted once, whoever finds it', async () => {
    const { first, hold, waiting } = await twoReplicas(cluster, open);
    await first.insert(ADDRESS, { id: 'job' });
    await first.jobs.claim(aLease('gone', 1), ANY_JOB);
    const held = await hold((sql) => jobWrites(sql).takeBack({ gone: [], now: 1000 }));
    expect(held.result).toBe(1);
    const late = first.jobs.takeBack(() => true, 1000);
    await waiting(1);
    await held.commit();
    expect(await late).toBe(0);
    expect(await first.jobs.claim(aLease('a', 1000), ANY_JOB)).toMatchObject({
      isSuspect: true,
      loneCrashes: 1,
    });
  });

  test('a lease that is prolonged meanwhile is not taken', async () => {
    const { first, hold, waiting } = await twoReplicas(cluster, open);
    await first.insert(ADDRESS, { id: 'job' });
    await first.jobs.claim(aLease('a', 1), ANY_JOB);
    const beat = await hold((sql) => jobWrites(sql).heartbeat({ id: 'job', ...aLease('a', 1000) }));
    const taking = first.jobs.takeBack(() => false, 1000);
    await waiting(1);
    await beat.commit();
    expect([beat.result, await taking]).toEqual([true, 0]);
  });

  test('two that take back many jobs at once take each of them once, without a deadlock', async () => {
    const { first, second, pool } = await twoReplicas(cluster, open);
    for (let index = 0; index < 30; index++) {
      await first.insert(addressOf(index), { limits: LIMITS });
      await first.jobs.claim(aLease(index % 3 === 0 ? 'x' : 'y', 1), ANY_JOB);
    }
    // Rows that lie in another order than they were made in.
    await pool.query(`update verification_job set heartbeat_at = 2 where lease_owner = 'x'`);
    const taken = await Promise.all(
      [first, second, first, second].map(({ jobs }) => jobs.takeBack(() => true, 500)),
    );
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(30);
    const { rows } = await pool.query('select distinct lone_crashes::int from verification_job');
    expect(rows).toEqual([{ lone_crashes: 0 }]);
  });

  test('who lost the lease stores nothing', async () => {
    const { first, second, hold, waiting } = await twoReplicas(cluster, open);
    await first.insert(ADDRESS, { id: 'job' });
    await first.jobs.claim(aLease('slow', 1), ANY_JOB);
    const taking = await hold((sql) => jobWrites(sql).takeBack({ gone: [], now: 1000 }));
    const match = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
    const completed = first.jobs.complete('job', 'slow', match, anEnd(1000));
    await waiting(1);
    await taking.commit();
    expect(await completed).toBe('lost');
    expect(await second.contracts.findMatch('1', ADDRESS)).toBeNull();
    expect(await second.jobs.claim(aLease('b', 1000), ANY_JOB)).toMatchObject({ id: 'job' });
    expect(await first.jobs.heartbeat('job', aLease('slow', 1000))).toBe(false);
  });

  test('a job that ends while its lease is looked at stays ended', async () => {
    const { first, hold, waiting } = await twoReplicas(cluster, open);
    await first.insert(ADDRESS, { id: 'job' });
    await first.jobs.claim(aLease('a', 1), ANY_JOB);
    const end = await hold((sql) =>
      jobWrites(sql).complete({ id: 'job', owner: 'a', result: FAILED, sources: [], end: anEnd(1000) }),
    );
    const taking = first.jobs.takeBack(() => true, 1000);
    const cancelling = first.jobs.cancel('job', anEnd(1000));
    await waiting(2);
    await end.commit();
    expect([end.result, await taking, (await cancelling).kind]).toEqual(['failed', 0, 'finished']);
    expect((await first.jobs.find('job'))?.error?.code).toBe('compiler_error');
  });

  test('a server that starts on another host of the same name leaves the jobs to their owner', async () => {
    const { first, second, pool } = await twoReplicas(cluster, open);
    expect([first.jobs.spansHosts, (await aQueue()).jobs.spansHosts]).toEqual([true, false]);
    await first.insert(ADDRESS, { id: 'job' });
    const facts = { name: 'node', boot: 'b1', processes: 'pid:[1]' };
    const processOf = (host: HostFacts) => ({
      host: distinctHost(host, randomUUID),
      pid: 1,
      isAlive: () => false,
    });
    const starts = (queue: TestQueue, host: HostFacts) => {
      const dispatcher = new JobDispatcher({
        repository: queue.jobs,
        completions: new JobCompletions(),
        run: (_job, { signal }) =>
          new Promise((resolve) => signal.addEventListener('abort', () => resolve(FAILED))),
        clock: { now: () => 1000 },
        newId: randomUUID,
        process: processOf(host),
        concurrency: 2,
        isAlone: false,
        leaseMs: 3_600_000,
        observer: { finished: () => {}, faulted: (_job, error) => expect.unreachable(String(error)) },
      });
      onTestFinished(() => dispatcher.close());
      return dispatcher.start();
    };
    await starts(first, facts);
    await expect.poll(() => first.jobs.count()).toEqual({ waiting: 0, running: 1 });
    await starts(second, { ...facts, boot: 'b2' });
    await starts(second, { ...facts, processes: 'pid:[2]' });
    expect(await second.jobs.count()).toEqual({ waiting: 0, running: 1 });
    const { rows } = await pool.query(
      'select split_part(lease_owner, $1, 1) as host, is_suspect::int from verification_job',
      [' '],
    );
    expect(rows).toEqual([{ host: 'node/b1/pid:[1]', is_suspect: 0 }]);
  });

  test('a job that kills its replicas is given up alone', async () => {
    const { first } = await twoReplicas(cluster, open);
    const world = new World(1, first);
    const ids = Array.from({ length: 12 }, (_, index) => `job ${index}`);
    for (const [index, id] of ids.entries()) {
      const address = index === 5 ? POISON : innocent(index);
      await first.insert(address, { id, startedAt: index, limits: LIMITS });
    }
    for (let left = 1; left > 0; ) {
      await world.pass(100, 2);
      const { running, waiting } = await first.jobs.count();
      left = running + waiting;
    }
    const codes = await Promise.all(ids.map(async (id) => (await first.jobs.find(id))?.error?.code));
    expect(codes).toEqual(ids.map((_, index) => (index === 5 ? 'job_abandoned' : 'compiler_error')));
    // At first perhaps in company, then three times alone.
    expect(world.companies.slice(-3)).toEqual([1, 1, 1]);
    await world.close();
  });
});
