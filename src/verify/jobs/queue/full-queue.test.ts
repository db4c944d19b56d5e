import { afterEach, describe, expect, test } from 'vitest';
import { aJob } from '../../../../test/kit/verify/a-job.ts';
import { ANY_JOB, aLease, anEnd, aQueue, closeQueues } from '../../../../test/kit/verify/a-queue.ts';
import { ManualClock } from '../../../values/clock.ts';
import type { Hex } from '../../../values/hex.ts';
import { watchQueue } from './full-queue.ts';

afterEach(closeQueues);

/** Whether a client that was not refused itself is let in. */
const letsIn = ({ refusalOf }: ReturnType<typeof watchQueue>) => refusalOf('anybody') === null;

describe('a watched queue', () => {
  const LIMITS = { jobs: 1, bytes: 1_000_000 };
  const addressOf = (digit: number) => `0x${String(digit).repeat(40)}` as Hex;

  async function aFullQueue() {
    const clock = new ManualClock(1000);
    const queue = watchQueue((await aQueue()).jobs, clock);
    await queue.jobs.insert(aJob(addressOf(1), { id: 'first' }), LIMITS);
    expect(letsIn(queue), 'nobody was refused yet').toBe(true);
    expect(await queue.jobs.insert(aJob(addressOf(2)), LIMITS)).toBe('too_many_jobs');
    expect(letsIn(queue)).toBe(false);
    return { jobs: queue.jobs, letsIn: () => letsIn(queue), clock };
  }

  test('lets one in for a job that this process claims', async () => {
    const { jobs, letsIn } = await aFullQueue();
    await jobs.claim(aLease('here', 1000), ANY_JOB);
    expect([letsIn(), letsIn()]).toEqual([true, false]);
    await jobs.claim(aLease('here', 1000), ANY_JOB);
    expect(letsIn(), 'there was nothing to claim').toBe(false);
  });

  test('lets one in for a job that is cancelled', async () => {
    const { jobs, letsIn } = await aFullQueue();
    await jobs.cancel('unknown', anEnd(1000));
    expect(letsIn()).toBe(false);
    await jobs.cancel('first', anEnd(1000));
    expect([letsIn(), letsIn()]).toEqual([true, false]);
  });

  test('keeps the places that became free while others were refused', async () => {
    const { jobs, letsIn } = await aFullQueue();
    const refused = jobs.insert(aJob(addressOf(3)), { ...LIMITS, jobs: 0 });
    await jobs.claim(aLease('here', 1000), ANY_JOB);
    expect(await refused).toBe('too_many_jobs');
    expect([letsIn(), letsIn()]).toEqual([true, false]);
  });

  test('forgets the places from before it was full', async () => {
    const clock = new ManualClock(1000);
    const queue = watchQueue((await aQueue()).jobs, clock);
    const { jobs } = queue;
    await jobs.insert(aJob(addressOf(1)), LIMITS);
    await jobs.claim(aLease('here', 1000), ANY_JOB);
    await jobs.insert(aJob(addressOf(2)), LIMITS);
    expect(await jobs.insert(aJob(addressOf(3)), LIMITS)).toBe('too_many_jobs');
    expect(letsIn(queue)).toBe(false);
  });

  test('lets one more in each quarter of a second, since other replicas make room', async () => {
    const { clock, jobs, letsIn } = await aFullQueue();
    for (let quarter = 0; quarter < 10; quarter += 1) {
      clock.advance(249);
      expect(letsIn()).toBe(false);
      clock.advance(1);
      expect([letsIn(), letsIn()]).toEqual([true, false]);
      expect(await jobs.insert(aJob(addressOf(3)), LIMITS)).toBe('too_many_jobs');
    }
  });

  test('lets all in when nobody was refused for a second, whatever came of those that were let in', async () => {
    const { clock, letsIn } = await aFullQueue();
    let wrong = 0;
    for (; clock.now() < 1999; clock.advance(1)) if (letsIn()) wrong += 1;
    expect(wrong).toBe(3);
    clock.advance(1);
    expect([letsIn(), letsIn()]).toEqual([true, true]);
  });

  test('lets all in when the clock was set back', async () => {
    const { letsIn, clock } = await aFullQueue();
    clock.set(0);
    expect([letsIn(), letsIn()]).toEqual([true, true]);
  });

  test('is not full for others when one job holds too many bytes', async () => {
    const queue = watchQueue((await aQueue()).jobs, new ManualClock(0));
    await queue.jobs.insert(aJob(addressOf(1)), LIMITS);
    const outcome = await queue.jobs.insert(aJob(addressOf(2)), { jobs: 2, bytes: 1 });
    expect(outcome).toBe('too_many_bytes');
    expect(letsIn(queue)).toBe(true);
  });

  describe('for a client that has its share', () => {
    const FOUR = { jobs: 4, bytes: 1_000_000 };

    async function aFullShare() {
      const clock = new ManualClock(1000);
      const { jobs, refusalOf } = watchQueue((await aQueue()).jobs, clock);
      const insert = (digit: number, client: string, limits = FOUR) =>
        jobs.insert(aJob(addressOf(digit), { id: `${client}${digit}`, client }), limits);
      await insert(1, 'a');
      await insert(2, 'a');
      expect(await insert(3, 'a')).toBe('too_many_of_client');
      return { jobs, refusalOf, clock, insert };
    }

    test('is full, and for nobody else', async () => {
      const { clock, insert, refusalOf } = await aFullShare();
      for (let each = 0; each < 100; each++) expect(refusalOf('a')).toBe('too_many_of_client');
      expect(refusalOf('b')).toBeNull();
      expect(await insert(3, 'b')).toBe('inserted');
      clock.advance(250);
      expect([refusalOf('a'), refusalOf('a')]).toEqual([null, 'too_many_of_client']);
      clock.advance(1000);
      expect([refusalOf('a'), refusalOf('a')]).toEqual([null, null]);
    });

    test('has a place for each job that leaves it', async () => {
      const { jobs, refusalOf } = await aFullShare();
      await jobs.cancel('a1', anEnd(1000));
      expect([refusalOf('a'), refusalOf('a')]).toEqual([null, 'too_many_of_client']);
    });

    test('is full when its job is too large, and the places of others are theirs', async () => {
      const { clock, insert, jobs, refusalOf } = await aFullShare();
      expect(await insert(4, 'c', { jobs: 4, bytes: 1 })).toBe('too_many_bytes');
      expect([refusalOf('c'), refusalOf('b')]).toEqual(['too_many_bytes', null]);
      expect(await insert(5, 'b', { jobs: 1, bytes: 1 })).toBe('too_many_jobs');
      await jobs.claim(aLease('here', 1000), ANY_JOB);
      expect([refusalOf('a'), refusalOf('a'), refusalOf('a')]).toEqual([
        null,
        'too_many_of_client',
        'too_many_of_client',
      ]);
      expect(refusalOf('b')).toBe('too_many_jobs');
      clock.set(0);
      expect([refusalOf('a'), refusalOf('b')]).toEqual([null, null]);
    });

    test('is known of a thousand clients at most', async () => {
      const { insert, refusalOf } = await aFullShare();
      for (let each = 0; each < 1000; each++) await insert(4, `c${each}`, { jobs: 4, bytes: 1 });
      expect(refusalOf('a')).toBeNull();
      expect(refusalOf('c0')).toBe('too_many_bytes');
    });
  });
});
