import { afterEach, describe, expect, test } from 'vitest';
import { aQueue, closeQueues } from '../../testing/a-queue.ts';
import { BytecodeRetention } from './bytecode-retention.ts';

afterEach(closeQueues);

/** A queue with failed jobs, one per millisecond from 0 on, each with a code. */
function aHistory(count: number) {
  const { jobs, database } = aQueue();
  const insertJob = database.prepare(
    'INSERT INTO verification_job (id, chain_id, address, started_at, finished_at) VALUES (?, 1, ?, ?, ?)',
  );
  const insertCode = database.prepare(
    'INSERT INTO verification_job_bytecode (job_id, onchain_runtime_code, stored_at) VALUES (?, ?, ?)',
  );
  for (let time = 0; time < count; time++) {
    insertJob.run(String(time), Buffer.from([1]), time, time);
    insertCode.run(String(time), Buffer.from([0x60]), time);
  }
  const left = () =>
    (database.prepare('SELECT count(*) AS n FROM verification_job_bytecode').get() as { n: number }).n;
  return { jobs, left };
}

const noFault = (error: unknown) => {
  throw error;
};

describe('BytecodeRetention', () => {
  test('drops everything that is older than the age, in several batches', async () => {
    const { jobs, left } = aHistory(200);
    const retention = new BytecodeRetention({
      repository: jobs,
      clock: { now: () => 1180 },
      keepMs: 1000,
      onFault: noFault,
    });
    retention.start();
    await retention.idle();
    expect(left()).toBe(20);
    expect(await jobs.find('0')).toMatchObject({ finishedAt: 0 });
    await retention.close();
  });

  test('drops nothing when they are to be kept for ever', async () => {
    const { jobs, left } = aHistory(3);
    const parts = { repository: jobs, clock: { now: () => 1e15 }, keepMs: null, onFault: noFault };
    const retention = new BytecodeRetention(parts);
    retention.start();
    await retention.close();
    expect(left()).toBe(3);
  });

  test('reports a fault and lets the server continue', async () => {
    const { jobs } = aHistory(1);
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
