import { afterEach, describe, expect, test } from 'vitest';
import {
  ADDRESS,
  ANY_JOB,
  aLease,
  anEnd,
  aQueue,
  closeQueues,
  FAILED,
} from '../../../../test/kit/verify/a-queue.ts';
import { NO_BYTECODES } from '../results/verification-result.ts';
import { BytecodeRetention } from './bytecode-retention.ts';

afterEach(closeQueues);

/** A queue with failed jobs, one per millisecond from 0 on, each with a code. */
async function aHistory(count: number) {
  const { jobs, insert } = await aQueue();
  const failed = { ...FAILED, bytecodes: { ...NO_BYTECODES, onchainRuntime: Buffer.from([0x60]) } };
  for (let time = 0; time < count; time++) {
    await insert(ADDRESS, { id: String(time) });
    await jobs.claim(aLease('a', time), ANY_JOB);
    expect(await jobs.complete(String(time), 'a', failed, anEnd(time))).toBe('failed');
  }
  const left = async () => {
    const found = await Promise.all(Array.from({ length: count }, (_, time) => jobs.find(String(time))));
    return found.filter((job) => job?.bytecodes.onchainRuntime !== null).length;
  };
  return { jobs, left };
}

const noFault = (error: unknown) => {
  throw error;
};

describe('BytecodeRetention', () => {
  test('drops everything that is older than the age, in several batches', async () => {
    const { jobs, left } = await aHistory(200);
    const retention = new BytecodeRetention({
      repository: jobs,
      clock: { now: () => 1180 },
      keepMs: 1000,
      onFault: noFault,
    });
    retention.start();
    await retention.idle();
    expect(await left()).toBe(20);
    expect(await jobs.find('0')).toMatchObject({ finishedAt: 0 });
    await retention.close();
  });

  test('drops nothing when they are to be kept for ever', async () => {
    const { jobs, left } = await aHistory(3);
    const parts = { repository: jobs, clock: { now: () => 1e15 }, keepMs: null, onFault: noFault };
    const retention = new BytecodeRetention(parts);
    retention.start();
    await retention.close();
    expect(await left()).toBe(3);
  });

  test('reports a fault and lets the server continue', async () => {
    const { jobs } = await aHistory(1);
    const faults: unknown[] = [];
    const retention = new BytecodeRetention({
      repository: {
        ...jobs,
        dropBytecodes: async () => {
          throw new Error('busy');
        },
      },
      clock: { now: () => 10 },
      keepMs: 1,
      onFault: (error) => faults.push(error),
    });
    retention.start();
    await retention.close();
    expect(faults).toHaveLength(1);
  });
});
