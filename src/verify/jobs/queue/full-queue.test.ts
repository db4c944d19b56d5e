import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../values/clock.ts';
import type { Hex } from '../../../values/hex.ts';
import { aJob } from '../../testing/a-job.ts';
import { ANY_JOB, aLease, anEnd, aQueue, closeQueues } from '../../testing/a-queue.ts';
import { watchQueue } from './full-queue.ts';

afterEach(closeQueues);

describe('a watched queue', () => {
  const LIMITS = { jobs: 1, bytes: 1_000_000 };
  const addressOf = (digit: number) => `0x${String(digit).repeat(40)}` as Hex;

  async function aFullQueue() {
    const clock = new ManualClock(1000);
    const queue = watchQueue((await aQueue()).jobs, clock);
    await queue.jobs.insert(aJob(addressOf(1), { id: 'first' }), LIMITS);
    expect(queue.isFull(), 'nobody was refused yet').toBe(false);
    expect(await queue.jobs.insert(aJob(addressOf(2)), LIMITS)).toBe('too_many_jobs');
    expect(queue.isFull()).toBe(true);
    return { ...queue, clock };
  }

  test('is full until this process claims a job', async () => {
    const { isFull, jobs } = await aFullQueue();
    await jobs.claim(aLease('here', 1000), ANY_JOB);
    expect(isFull()).toBe(false);
  });

  test('is full until a job is cancelled', async () => {
    const { isFull, jobs } = await aFullQueue();
    await jobs.cancel('unknown', anEnd(1000));
    expect(isFull()).toBe(true);
    await jobs.cancel('first', anEnd(1000));
    expect(isFull()).toBe(false);
  });

  test('is looked at again after a quarter of a second, since other replicas make room', async () => {
    const { isFull, clock } = await aFullQueue();
    clock.advance(249);
    expect(isFull()).toBe(true);
    clock.advance(1);
    expect(isFull()).toBe(false);
  });

  test('is looked at again when the clock was set back', async () => {
    const { isFull, clock } = await aFullQueue();
    clock.set(0);
    expect(isFull()).toBe(false);
  });

  test('is not full for others when one job holds too many bytes', async () => {
    const queue = watchQueue((await aQueue()).jobs, new ManualClock(0));
    await queue.jobs.insert(aJob(addressOf(1)), LIMITS);
    const outcome = await queue.jobs.insert(aJob(addressOf(2)), { jobs: 2, bytes: 1 });
    expect(outcome).toBe('too_many_bytes');
    expect(queue.isFull()).toBe(false);
  });
});
