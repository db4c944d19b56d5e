import { describe, expect, test } from 'vitest';
import { JobCompletions } from './job-completions.ts';

const never = new AbortController().signal;
const running = async () => false;
const hour = 3_600_000;

describe('JobCompletions', () => {
  test('says which request of a job is the first, until the job ends', () => {
    const completions = new JobCompletions();
    expect([
      completions.noteRequest('a'),
      completions.noteRequest('a'),
      completions.noteRequest('b'),
    ]).toEqual([true, false, true]);
    completions.announce('a');
    expect(completions.size).toBe(1);
    expect(completions.noteRequest('a')).toBe(true);
  });

  test('remembers a bounded number of jobs', () => {
    const completions = new JobCompletions();
    for (let job = 0; job < 20_000; job++) completions.noteRequest(String(job));
    expect(completions.size).toBe(10_000);
  });

  test('waits until the job is announced, the time is over, or it has ended already', async () => {
    const completions = new JobCompletions();
    const announced = completions.wait('a', { timeoutMs: hour, isFinished: running, signal: never });
    completions.announce('a');
    await announced;
    await completions.wait('a', { timeoutMs: 1, isFinished: running, signal: never });
    await completions.wait('a', { timeoutMs: hour, isFinished: async () => true, signal: never });
    expect(completions.waiters).toBe(0);
  });

  test('finds the end of a job that another process ran', async () => {
    const completions = new JobCompletions();
    let looks = 0;
    await completions.wait('a', { timeoutMs: hour, isFinished: async () => ++looks > 1, signal: never });
    expect(looks).toBe(2);
  });

  test('lets go of a client that went away, before and while it waits', async () => {
    const completions = new JobCompletions();
    const client = new AbortController();
    const held = completions.wait('a', { timeoutMs: hour, isFinished: running, signal: client.signal });
    expect(completions.waiters).toBe(1);
    client.abort();
    await held;
    await completions.wait('a', { timeoutMs: hour, isFinished: running, signal: client.signal });
    expect(completions.waiters).toBe(0);
  });

  test('wakes everyone when the server stops and holds nobody afterwards', async () => {
    const completions = new JobCompletions();
    const held = completions.wait('a', { timeoutMs: hour, isFinished: running, signal: never });
    completions.close();
    await held;
    await completions.wait('b', { timeoutMs: hour, isFinished: running, signal: never });
    expect(completions.waiters).toBe(0);
  });

  test('passes a fault of the look on', async () => {
    const completions = new JobCompletions();
    let looks = 0;
    const isFinished = async () => {
      if (++looks === 1) return false;
      throw new Error('closed');
    };
    await expect(completions.wait('a', { timeoutMs: hour, isFinished, signal: never })).rejects.toThrow(
      'closed',
    );
    expect(completions.waiters).toBe(0);
  });
});
