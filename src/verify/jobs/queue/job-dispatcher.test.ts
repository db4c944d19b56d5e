import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aJob } from '../../../../test/kit/verify/a-job.ts';
import {
  ADDRESS,
  ANY_JOB,
  aLease,
  anEnd,
  aQueue,
  closeQueues,
  FAILED,
  OTHER_ADDRESS,
  SUBMISSION,
  type TestQueue,
} from '../../../../test/kit/verify/a-queue.ts';
import type { Clock } from '../../../values/clock.ts';
import { StorageBusyError, StorageFaultError } from '../../../values/storage-errors.ts';
import type { VerificationResult } from '../results/verification-result.ts';
import { JobCompletions } from './job-completions.ts';
import { JobDispatcher, type JobDispatcherParts } from './job-dispatcher.ts';
import type { ClaimedJob, NewJob, SentJob } from './job-repository.ts';
import type { JobRepository } from './with-submissions.ts';

afterEach(closeQueues);

const LIVING_PID = 4;
const LIMITS = { jobs: 10, bytes: 1_000_000 };
const sent = (read: SentJob['read'] = () => SUBMISSION): SentJob => ({ bytes: 100, read });

describe('JobDispatcher', () => {
  async function aDispatcher(
    run: JobDispatcherParts['run'],
    {
      clock = { now: () => 1000 },
      queue: given,
      leaseMs = 30_000,
      concurrency = 2,
      maxRunningBytes = Number.POSITIVE_INFINITY,
      isAlone = true,
      pause = async () => undefined,
    }: {
      clock?: Clock;
      queue?: TestQueue;
      leaseMs?: number;
      concurrency?: number;
      maxRunningBytes?: number;
      isAlone?: boolean;
      pause?: NonNullable<JobDispatcherParts['pause']>;
    } = {},
  ) {
    const queue = given ?? (await aQueue());
    const faults: unknown[] = [];
    const outcomes: string[] = [];
    const completions = new JobCompletions();
    const dispatcher = new JobDispatcher({
      repository: queue.jobs,
      completions,
      run,
      clock,
      newId: randomUUID,
      process: { host: 'here', pid: 1, isAlive: (other) => other === LIVING_PID },
      concurrency,
      maxRunningBytes,
      isAlone,
      leaseMs,
      pause,
      observer: {
        finished: (_job, outcome) => outcomes.push(outcome),
        faulted: (_job, error) => faults.push(error),
      },
    });
    return { ...queue, dispatcher, completions, faults, outcomes };
  }

  test('runs a job once although its lease ran out while the process stood still', async () => {
    let now = 1000;
    let runs = 0;
    const end = deferred();
    const { jobs, insert, dispatcher } = await aDispatcher(
      async () => {
        runs++;
        await end.promise;
        return FAILED;
      },
      { clock: { now: () => now } },
    );
    // The queue is ordered by id: the job whose lease ran out is claimed first.
    const id = '00000000-0000-4000-8000-000000000000';
    const other = 'ffffffff-0000-4000-8000-000000000000';
    await insert(ADDRESS, { id });
    await dispatcher.start();
    while (runs < 1) await new Promise((resolve) => setImmediate(resolve));
    now += 60_000;
    dispatcher.wake();
    await insert(OTHER_ADDRESS, { id: other });
    dispatcher.wake();
    while (runs < 2) await new Promise((resolve) => setImmediate(resolve));
    end.resolve(undefined);
    for (const each of [id, other]) {
      while ((await jobs.find(each))?.finishedAt === null) await dispatcher.idle();
    }
    expect(runs).toBe(2);
    await dispatcher.close();
  });

  test('begins no job beside those whose submissions fill the heap', async () => {
    let running = 0;
    const most: number[] = [];
    const { insert, dispatcher, outcomes } = await aDispatcher(
      async () => {
        most.push(++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return FAILED;
      },
      { maxRunningBytes: 1 },
    );
    await insert(ADDRESS);
    await insert(OTHER_ADDRESS);
    await dispatcher.start();
    while (outcomes.length < 2) await dispatcher.idle();
    expect(most).toEqual([1, 1]);
    await dispatcher.close();
  });

  test('begins no job of a further chain beside those of others whose submissions fill the heap', async () => {
    const begun: string[] = [];
    const ends = [deferred(), deferred(), deferred()];
    const { insert, dispatcher, outcomes } = await aDispatcher(
      async ({ chainId }) => {
        begun.push(chainId);
        await ends[Number(chainId) - 1]?.promise;
        return FAILED;
      },
      { concurrency: 8, maxRunningBytes: 1 },
    );
    await insert(ADDRESS, { chainId: '1', startedAt: 1000 });
    await insert(ADDRESS, { chainId: '2', startedAt: 2000 });
    await insert(ADDRESS, { chainId: '3', startedAt: 3000 });
    await dispatcher.start();
    await expect.poll(() => begun).toEqual(['1', '2']);
    for (let turn = 0; turn < 20; turn++) {
      dispatcher.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(begun).toEqual(['1', '2']);
    ends[0]?.resolve(undefined);
    await expect.poll(() => begun).toEqual(['1', '2', '3']);
    for (const end of ends) end.resolve(undefined);
    await expect.poll(() => outcomes.length).toBe(3);
    await dispatcher.close();
  });

  test('begins the job of an idle process while it is being stored, and runs it once', async () => {
    const runs: string[] = [];
    const { jobs, dispatcher, outcomes } = await aDispatcher(async ({ id }) => {
      runs.push(id);
      return FAILED;
    });
    await dispatcher.start();
    await dispatcher.idle();
    const job = aJob(ADDRESS);
    const settle = dispatcher.begin(job, sent());
    expect(runs).toEqual([job.id]);
    settle((await jobs.insert(job, LIMITS)) === 'inserted');
    await dispatcher.idle();
    expect(runs).toEqual([job.id]);
    expect((await jobs.find(job.id))?.finishedAt).toBe(1000);
    expect(outcomes).toHaveLength(1);
    await dispatcher.close();
  });

  test('counts the submission of a run that it began early like that of any other', async () => {
    const held = deferred();
    const runs: string[] = [];
    const { jobs, insert, dispatcher } = await aDispatcher(
      async ({ address }) => {
        runs.push(address);
        await held.promise;
        return FAILED;
      },
      { maxRunningBytes: 1 },
    );
    await dispatcher.start();
    await dispatcher.idle();
    const early = aJob(ADDRESS);
    const settle = dispatcher.begin(early, sent());
    settle((await jobs.insert(early, LIMITS)) === 'inserted');
    await expect.poll(async () => (await jobs.count()).running).toBe(1);
    await insert(OTHER_ADDRESS);
    dispatcher.wake();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toEqual([ADDRESS]);
    held.resolve(undefined);
    await expect.poll(() => runs.length).toBe(2);
    await dispatcher.close();
  });

  test.each([
    ['is refused', async () => false],
    [
      'is taken by another process',
      async (queue: TestQueue, job: NewJob) => {
        const outcome = await queue.jobs.insert(job, LIMITS);
        await queue.jobs.claim(aLease('another', 60_000), ANY_JOB);
        return outcome === 'inserted';
      },
    ],
    [
      'is cancelled before the claim',
      async (queue: TestQueue, job: NewJob) => {
        const outcome = await queue.jobs.insert(job, LIMITS);
        await queue.jobs.cancel(job.id, { now: 1000, errorId: randomUUID() });
        return outcome === 'inserted';
      },
    ],
  ] as const)('stops a run that it began early when the job %s', async (_, store) => {
    let signal: AbortSignal | null = null;
    const { dispatcher, outcomes, faults, ...queue } = await aDispatcher((_job, progress) => {
      signal = progress.signal;
      return new Promise((_resolve, reject) => {
        progress.signal.addEventListener('abort', () => reject(progress.signal.reason), { once: true });
      });
    });
    await dispatcher.start();
    await dispatcher.idle();
    const job = aJob(ADDRESS);
    const settle = dispatcher.begin(job, sent());
    expect(signal).toHaveProperty('aborted', false);
    settle(await store(queue, job));
    await dispatcher.idle();
    await expect.poll(() => signal?.aborted).toBe(true);
    expect([outcomes, faults]).toEqual([[], []]);
    await dispatcher.close();
  });

  test('begins nothing early beside other processes or another job, closed, or with sources that a thread has to unpack', async () => {
    const held = deferred();
    const runs: string[] = [];
    const { dispatcher, insert } = await aDispatcher(async ({ id }) => {
      runs.push(id);
      await held.promise;
      return FAILED;
    });
    dispatcher.begin(aJob(OTHER_ADDRESS), sent());
    expect(runs).toEqual([]);
    const { dispatcher: beside } = await aDispatcher(
      async ({ id }) => {
        runs.push(id);
        return FAILED;
      },
      { isAlone: false },
    );
    for (const each of [dispatcher, beside]) {
      await each.start();
      await each.idle();
    }
    beside.begin(aJob(OTHER_ADDRESS), sent());
    await beside.close();
    dispatcher.begin(
      aJob(OTHER_ADDRESS),
      sent(() => null),
    );
    expect(runs).toEqual([]);
    await insert(ADDRESS);
    dispatcher.wake();
    await expect.poll(() => runs.length).toBe(1);
    dispatcher.begin(aJob(OTHER_ADDRESS), sent());
    expect(runs).toHaveLength(1);
    held.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });

  test('begins nothing early while a job waits that no claim may take yet', async () => {
    const queue = await aQueue();
    const jobs: JobRepository = { ...queue.jobs, count: async () => ({ waiting: 1, running: 0 }) };
    let runs = 0;
    const { dispatcher } = await aDispatcher(
      async () => {
        runs += 1;
        return FAILED;
      },
      { queue: { ...queue, jobs } },
    );
    await dispatcher.start();
    await dispatcher.idle();
    dispatcher.begin(aJob(ADDRESS), sent());
    expect(runs).toBe(0);
    await dispatcher.close();
  });

  test.each([
    ['places', { concurrency: 4 }],
    ['heap', { concurrency: 40, maxRunningBytes: 1 }],
  ])('keeps %s for other chains while one of them does not answer', async (_, bounds) => {
    const silent = deferred();
    const { jobs, insert, dispatcher } = await aDispatcher(async ({ chainId }) => {
      if (chainId === '1') await silent.promise;
      return FAILED;
    }, bounds);
    for (const digit of ['1', '2', '3', '4', '5']) await insert(`0x${digit.repeat(40)}`);
    const id = randomUUID();
    await insert(OTHER_ADDRESS, { id, chainId: '2', startedAt: 2000 });
    await dispatcher.start();
    await expect.poll(async () => (await jobs.find(id))?.finishedAt).not.toBeNull();
    silent.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });

  test('asks for jobs of other chains only when there may be one', async () => {
    const queue = await aQueue();
    let now = 1000;
    let leftOut = 0;
    const jobs: JobRepository = {
      ...queue.jobs,
      claim: (lease, rule) => {
        if (rule.exceptChains.length > 0) leftOut++;
        return queue.jobs.claim(lease, rule);
      },
    };
    const held = deferred();
    const { insert, dispatcher } = await aDispatcher(
      async ({ chainId }) => {
        if (chainId === '1') await held.promise;
        return FAILED;
      },
      { clock: { now: () => now }, concurrency: 4, queue: { ...queue, jobs } },
    );
    const hasEnded = async (id: string) => (await jobs.find(id))?.finishedAt !== null;
    for (const digit of ['1', '2', '3', '4', '5']) await insert(`0x${digit.repeat(40)}`);
    const [other, late] = [randomUUID(), randomUUID()];
    await insert(OTHER_ADDRESS, { id: other, chainId: '2', startedAt: 2000 });
    await dispatcher.start();
    await expect.poll(() => hasEnded(other)).toBe(true);
    // One found it, one found that there are no more.
    await expect.poll(() => leftOut).toBe(2);
    for (let turn = 0; turn < 20; turn++) {
      dispatcher.wake('1');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(leftOut).toBe(2);
    await insert(OTHER_ADDRESS, { id: late, chainId: '2', startedAt: 2000 });
    dispatcher.wake('2');
    await expect.poll(() => hasEnded(late)).toBe(true);
    await expect.poll(() => leftOut).toBe(4);
    now += 1_000;
    dispatcher.wake('1');
    await expect.poll(() => leftOut).toBe(5);
    dispatcher.wake();
    await expect.poll(() => leftOut).toBe(6);
    held.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });

  test('makes up for a look that was left out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let now = 1000;
    const held = deferred();
    const { jobs, insert, dispatcher } = await aDispatcher(
      async ({ chainId }) => {
        if (chainId === '1') await held.promise;
        return FAILED;
      },
      { clock: { now: () => now }, concurrency: 4 },
    );
    for (const digit of ['1', '2', '3', '4']) await insert(`0x${digit.repeat(40)}`);
    await dispatcher.start();
    const turns = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    // Another replica has taken it, or is told of it later.
    const other = randomUUID();
    await insert(OTHER_ADDRESS, { id: other, chainId: '2', startedAt: 2000 });
    dispatcher.wake('1');
    await turns();
    expect((await jobs.find(other))?.finishedAt).toBeNull();
    now += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await turns();
    expect((await jobs.find(other))?.finishedAt).not.toBeNull();
    held.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });

  test('begins what waited behind a job that is cancelled', async () => {
    const held = deferred();
    const { jobs, insert, dispatcher } = await aDispatcher(
      async ({ address }) => {
        if (address === ADDRESS) await held.promise;
        return FAILED;
      },
      // No beat looks for jobs in between.
      { leaseMs: 3_600_000 },
    );
    const [suspect, behind] = [randomUUID(), randomUUID()];
    await insert(ADDRESS);
    await dispatcher.start();
    await expect.poll(() => jobs.claim(aLease('elsewhere', 1000), ANY_JOB)).toBeNull();
    await insert(OTHER_ADDRESS, { id: suspect, startedAt: 2000 });
    await jobs.claim(aLease('killed', 1000), ANY_JOB);
    await jobs.takeBack((owner) => owner.includes('killed'), 1000);
    await insert(`0x${'7'.repeat(40)}`, { id: behind, startedAt: 3000 });
    dispatcher.wake();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect((await jobs.find(behind))?.finishedAt).toBeNull();
    expect(await dispatcher.cancel(suspect)).toBe('cancelled');
    await expect.poll(async () => (await jobs.find(behind))?.finishedAt).not.toBeNull();
    held.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });

  test('takes a job over at its start whose lease was given by a clock that has been set back', async () => {
    const { jobs, insert, dispatcher } = await aDispatcher(async () => FAILED, {
      clock: { now: () => 2000 },
      leaseMs: 30,
    });
    const id = randomUUID();
    await insert(ADDRESS, { id });
    expect(await jobs.claim(aLease('elsewhere', 10_000_000), ANY_JOB)).not.toBeNull();
    await dispatcher.start();
    await expect.poll(async () => (await jobs.find(id))?.finishedAt).not.toBeNull();
    await dispatcher.close();
  });

  test('takes a job over whose lease ended once all who live have prolonged theirs by a clock that was set', async () => {
    const clock = { time: 2000, steppedAt: Number.NEGATIVE_INFINITY, now: () => clock.time };
    const { jobs, insert, dispatcher } = await aDispatcher(async () => FAILED, { clock, leaseMs: 30 });
    await dispatcher.start();
    clock.time = 1_000_000;
    clock.steppedAt = 1_000_000;
    const id = randomUUID();
    await insert(ADDRESS, { id });
    expect(await jobs.claim(aLease('elsewhere', 1000), ANY_JOB)).not.toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await jobs.find(id)).toMatchObject({ finishedAt: null });
    clock.time += 31;
    await expect.poll(async () => (await jobs.find(id))?.finishedAt).not.toBeNull();
    await dispatcher.close();
  });

  test('gives a job up that three processes died of', async () => {
    const { jobs, insert, dispatcher } = await aDispatcher(async () => FAILED);
    const id = randomUUID();
    await insert(ADDRESS, { id });
    for (let claim = 0; claim < 3; claim++) {
      await jobs.claim(aLease('killed', 1000), ANY_JOB);
      await jobs.takeBack(() => true, 1000);
    }
    await dispatcher.start();
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ error: { code: 'job_abandoned' } });
    await dispatcher.close();
  });

  test('begins a job that two processes died of only when it has lived for a while', async () => {
    let now = 1000;
    const { jobs, insert, dispatcher } = await aDispatcher(async () => FAILED, { clock: { now: () => now } });
    const id = randomUUID();
    await insert(ADDRESS, { id });
    for (let claim = 0; claim < 2; claim++) {
      await jobs.claim(aLease('killed', 1000), ANY_JOB);
      await jobs.takeBack(() => true, 1000);
    }
    await dispatcher.start();
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ finishedAt: null });
    now += 10_000;
    dispatcher.wake();
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ error: { code: 'compiler_error' } });
    await dispatcher.close();
  });

  test('ends a job that threw as internal_error and continues', async () => {
    const { jobs, insert, dispatcher, faults } = await aDispatcher(async () => {
      throw new Error('broken');
    });
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of ids.entries()) await insert(`0x${String(index).padStart(40, '0')}`, { id });
    await dispatcher.start();
    for (const id of ids) {
      // Three jobs on two places: the last one begins when another has ended.
      while ((await jobs.find(id))?.finishedAt === null) await dispatcher.idle();
      expect(await jobs.find(id)).toMatchObject({ error: { code: 'internal_error' } });
    }
    expect(faults).toHaveLength(3);
    await dispatcher.close();
  });

  test('runs a job again when there was no file to open, and gives up when there is none for long', async () => {
    let runs = 0;
    let lacking = 5;
    const pauses: number[] = [];
    const { jobs, insert, dispatcher, faults } = await aDispatcher(
      async () => {
        runs += 1;
        if (runs > lacking) return FAILED;
        throw new Error('cannot start', { cause: Object.assign(new Error('open'), { code: 'EMFILE' }) });
      },
      { pause: async (milliseconds) => pauses.push(milliseconds) },
    );
    const [id, hopeless] = [randomUUID(), randomUUID()];
    await insert(ADDRESS, { id });
    await dispatcher.start();
    await expect.poll(async () => (await jobs.find(id))?.finishedAt).not.toBeNull();
    expect((await jobs.find(id))?.error?.code).not.toBe('internal_error');
    expect([runs, pauses.length, faults.length]).toEqual([6, 5, 1]);
    lacking = Number.POSITIVE_INFINITY;
    await insert(OTHER_ADDRESS, { id: hopeless });
    dispatcher.wake();
    await expect.poll(async () => (await jobs.find(hopeless))?.error?.code).toBe('internal_error');
    await dispatcher.close();
  });

  test('gives running jobs back when it closes', async () => {
    const started = deferred();
    const never = new Promise<VerificationResult>(() => {});
    const { jobs, insert, dispatcher } = await aDispatcher(async () => {
      started.resolve(undefined);
      return never;
    });
    await insert();
    await dispatcher.start();
    await started.promise;
    await dispatcher.close();
    expect(await jobs.count()).toEqual({ waiting: 1, running: 0 });
    expect(await jobs.claim(aLease('next', 1000), ANY_JOB)).toMatchObject({ isSuspect: false });
  });

  test('stores no end of a run that breaks off while it closes', async () => {
    const queue = await aQueue();
    const [started, claim, broken] = [deferred(), deferred(), deferred()];
    let claims = 0;
    const jobs: JobRepository = {
      ...queue.jobs,
      claim: async (lease, rule) => {
        if (++claims > 1) await claim.promise;
        return queue.jobs.claim(lease, rule);
      },
    };
    const { insert, dispatcher, faults } = await aDispatcher(
      async () => {
        started.resolve(undefined);
        await broken.promise;
        throw new Error('killed from outside');
      },
      { queue: { ...queue, jobs } },
    );
    await insert();
    await dispatcher.start();
    await started.promise;
    const closed = dispatcher.close();
    broken.resolve(undefined);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    claim.resolve(undefined);
    await closed;
    expect(faults).toEqual([]);
    expect(await queue.jobs.count()).toEqual({ waiting: 1, running: 0 });
  });

  test('stops every job when it closes, also when the database cannot be written', async () => {
    const queue = await aQueue();
    let releases = 0;
    const jobs: JobRepository = {
      ...queue.jobs,
      release: async (id, owner) => {
        if (++releases === 1) throw new StorageBusyError('another process holds the write lock');
        return queue.jobs.release(id, owner);
      },
    };
    const signals: AbortSignal[] = [];
    const { insert, dispatcher, faults } = await aDispatcher(
      async (_job, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { queue: { ...queue, jobs } },
    );
    await insert(ADDRESS);
    await insert(OTHER_ADDRESS);
    await dispatcher.start();
    while (signals.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await queue.jobs.count()).toEqual({ waiting: 1, running: 1 });
    expect(faults).toHaveLength(1);
  });

  test('begins the jobs of a killed process at once and leaves those of a living one', async () => {
    const queue = await aQueue();
    const { jobs, insert } = queue;
    const started: string[] = [];
    const { dispatcher } = await aDispatcher(
      async ({ address }) => {
        started.push(address);
        return FAILED;
      },
      { queue },
    );
    await insert(ADDRESS, { startedAt: 1 });
    await insert(OTHER_ADDRESS, { startedAt: 2 });
    await jobs.claim({ owner: 'here 77 x', now: 1000, until: 31_000 }, ANY_JOB);
    await jobs.claim({ owner: `here ${LIVING_PID} x`, now: 1000, until: 31_000 }, ANY_JOB);
    await dispatcher.start();
    await dispatcher.idle();
    expect(started).toEqual([ADDRESS]);
    await dispatcher.close();
  });

  test('shows what a job is busy with, and stores its warnings once each', async () => {
    const step = deferred();
    const told = deferred();
    const { jobs, insert, dispatcher } = await aDispatcher(async (_job, progress) => {
      progress.enter('compiling');
      progress.warn('a');
      progress.warn('a');
      progress.warn('b');
      told.resolve(undefined);
      await step.promise;
      return FAILED;
    });
    const id = randomUUID();
    await insert(ADDRESS, { id, warnings: ['spelling'] });
    expect(dispatcher.activityOf(id)).toBeNull();
    await dispatcher.start();
    await told.promise;
    expect(dispatcher.activityOf(id)).toMatchObject({ stage: 'compiling', warnings: ['spelling', 'a', 'b'] });
    step.resolve(undefined);
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ warnings: ['spelling', 'a', 'b'] });
    expect(dispatcher.activityOf(id)).toBeNull();
    await dispatcher.close();
  });

  test('stops a running job that is cancelled, and forgets what it still gives', async () => {
    const started = deferred();
    const { jobs, insert, dispatcher, faults, outcomes } = await aDispatcher(async (_job, { signal }) => {
      started.resolve(undefined);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    const id = randomUUID();
    await insert(ADDRESS, { id });
    await dispatcher.start();
    await started.promise;
    expect(await dispatcher.cancel(id)).toBe('cancelled');
    expect(await insert(ADDRESS)).toBe('inserted');
    expect(await dispatcher.cancel(id)).toBe('finished');
    expect(await dispatcher.cancel(randomUUID())).toBe('unknown');
    await dispatcher.close();
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ error: { code: 'job_cancelled' } });
    expect(faults).toEqual([]);
    expect(outcomes).toEqual(['job_cancelled']);
  });

  test('stops a job that was cancelled through another process', async () => {
    const started = deferred();
    const stopped = deferred();
    const queue = await aQueue();
    const { dispatcher } = await aDispatcher(
      async (_job, { signal }) => {
        started.resolve(undefined);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        stopped.resolve(undefined);
        return FAILED;
      },
      { queue, leaseMs: 30 },
    );
    const id = randomUUID();
    await queue.insert(ADDRESS, { id });
    await dispatcher.start();
    await started.promise;
    await queue.jobs.cancel(id, anEnd(1000));
    await stopped.promise;
    await dispatcher.close();
    expect(await queue.jobs.find(id)).toMatchObject({ finishedAt: 1000 });
  });

  test('begins a job anew that was taken away and given back while its stopped run continues', async () => {
    const started = deferred();
    const again = deferred();
    const queue = await aQueue();
    let runs = 0;
    const { dispatcher } = await aDispatcher(
      async () => {
        if (++runs === 1) {
          started.resolve(undefined);
          await again.promise;
        } else again.resolve(undefined);
        return FAILED;
      },
      { queue, leaseMs: 30 },
    );
    const id = randomUUID();
    await queue.insert(ADDRESS, { id });
    await dispatcher.start();
    await started.promise;
    // What another process does when it starts and the lease has ended.
    await queue.jobs.takeBack(() => true, 1000);
    await again.promise;
    while ((await queue.jobs.find(id))?.finishedAt === null) await dispatcher.idle();
    expect(runs).toBe(2);
    await dispatcher.close();
  });

  test('ends a job whose result cannot be stored as internal_error, without another run', async () => {
    const queue = await aQueue();
    let runs = 0;
    const jobs: JobRepository = {
      ...queue.jobs,
      complete: async (id, owner, result, end) => {
        if (result.kind === 'failed' && result.failure.code === 'internal_error') {
          return queue.jobs.complete(id, owner, result, end);
        }
        throw Object.assign(new Error('CHECK constraint failed'), { code: 'SQLITE_CONSTRAINT_CHECK' });
      },
    };
    const { insert, dispatcher, faults, outcomes } = await aDispatcher(
      async () => {
        runs++;
        return FAILED;
      },
      { queue: { ...queue, jobs } },
    );
    const id = randomUUID();
    await insert(ADDRESS, { id });
    await dispatcher.start();
    await dispatcher.idle();
    expect(await queue.jobs.find(id)).toMatchObject({ error: { code: 'internal_error' } });
    expect({ runs, faults: faults.length, outcomes }).toEqual({
      runs: 1,
      faults: 1,
      outcomes: ['internal_error'],
    });
    await dispatcher.close();
  });

  test('leaves a job to its next claim when the disk is full', async () => {
    const queue = await aQueue();
    const jobs: JobRepository = {
      ...queue.jobs,
      complete: async () => {
        throw new StorageFaultError('the disk is full');
      },
    };
    const { insert, dispatcher, faults } = await aDispatcher(async () => FAILED, {
      queue: { ...queue, jobs },
    });
    const id = randomUUID();
    await insert(ADDRESS, { id });
    await dispatcher.start();
    await dispatcher.idle();
    expect(await queue.jobs.find(id)).toMatchObject({ finishedAt: null });
    await queue.jobs.takeBack(() => false, 31_001);
    expect(await queue.jobs.claim(aLease('next', 31_001), ANY_JOB)).toMatchObject({ id });
    expect(faults).toHaveLength(1);
    await dispatcher.close();
  });

  test('claims once in a while, and says so once, while the disk is full', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const queue = await aQueue();
    let claims = 0;
    let isFull = true;
    const jobs: JobRepository = {
      ...queue.jobs,
      claim: (...given) => {
        claims++;
        return isFull
          ? Promise.reject(new StorageFaultError('the disk is full'))
          : queue.jobs.claim(...given);
      },
    };
    const { insert, dispatcher, faults } = await aDispatcher(async () => FAILED, {
      queue: { ...queue, jobs },
    });
    const id = randomUUID();
    await insert(ADDRESS, { id });
    await dispatcher.start();
    for (let turn = 0; turn < 50; turn++) {
      dispatcher.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(claims).toBe(1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(claims).toBe(4);
    expect(faults).toHaveLength(1);
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await dispatcher.idle();
    expect((await queue.jobs.find(id))?.finishedAt).not.toBeNull();
    await dispatcher.close();
  });

  test('gives a job back unsuspected when the disk has space again', async () => {
    const queue = await aQueue();
    let isFull = true;
    const onFullDisk = <T>(write: () => Promise<T>): Promise<T> =>
      isFull ? Promise.reject(new StorageFaultError('the disk is full')) : write();
    const claimed: ClaimedJob[] = [];
    const jobs: JobRepository = {
      ...queue.jobs,
      complete: (...given) => onFullDisk(() => queue.jobs.complete(...given)),
      release: (...given) => onFullDisk(() => queue.jobs.release(...given)),
    };
    const { insert, dispatcher } = await aDispatcher(
      async (job) => {
        claimed.push(job);
        return FAILED;
      },
      { queue: { ...queue, jobs }, leaseMs: 30 },
    );
    const id = randomUUID();
    await insert(ADDRESS, { id });
    await dispatcher.start();
    await dispatcher.idle();
    isFull = false;
    await expect.poll(async () => (await queue.jobs.find(id))?.finishedAt).not.toBeNull();
    expect(claimed.map(({ isSuspect, loneCrashes }) => ({ isSuspect, loneCrashes }))).toEqual(
      claimed.map(() => ({ isSuspect: false, loneCrashes: 0 })),
    );
    expect(claimed.length).toBeGreaterThan(1);
    await dispatcher.close();
  });

  test('prolongs what runs, and not what it stores, whose row its own transaction holds', async () => {
    const queue = await aQueue();
    const [stored, ran] = [deferred(), deferred()];
    const beats: string[] = [];
    let isStoring = false;
    const jobs: JobRepository = {
      ...queue.jobs,
      async complete(...given) {
        isStoring = true;
        await stored.promise;
        return queue.jobs.complete(...given);
      },
      async heartbeat(id, lease) {
        if (isStoring) beats.push(id);
        return queue.jobs.heartbeat(id, lease);
      },
    };
    const [storing, running] = [randomUUID(), randomUUID()];
    const { insert, dispatcher } = await aDispatcher(
      async ({ id }) => {
        if (id === running) await ran.promise;
        return FAILED;
      },
      { queue: { ...queue, jobs }, leaseMs: 30 },
    );
    await insert(OTHER_ADDRESS, { id: running });
    await insert(ADDRESS, { id: storing });
    await dispatcher.start();
    await expect.poll(() => beats.length).toBeGreaterThan(3);
    expect(new Set(beats)).toEqual(new Set([running]));
    stored.resolve(undefined);
    ran.resolve(undefined);
    await dispatcher.idle();
    await dispatcher.close();
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
