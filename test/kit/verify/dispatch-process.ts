// Works on the jobs of a database until none is left, for tests of its death: the job of the address that is given
// kills it. Its clock runs twenty times as fast. Arguments: database file, address.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { JobCompletions } from '../../../src/verify/jobs/queue/job-completions.ts';
import { JobDispatcher } from '../../../src/verify/jobs/queue/job-dispatcher.ts';
import { systemProcess } from '../../../src/verify/jobs/queue/lease-owner.ts';
import { withSubmissions } from '../../../src/verify/jobs/queue/with-submissions.ts';
import { openFileStore } from '../../support/test-store.ts';
import { FAILED } from './a-queue.ts';

const [file = '', poison = ''] = process.argv.slice(2);
const jobs = withSubmissions((await openFileStore(file)).verify.jobs);
const dispatcher = new JobDispatcher({
  repository: jobs,
  completions: new JobCompletions(),
  run: async ({ address }) => {
    await pause(20);
    if (address === poison) process.kill(process.pid, 'SIGKILL');
    return FAILED;
  },
  clock: { now: () => Date.now() * 20 },
  newId: randomUUID,
  process: systemProcess(jobs),
  concurrency: 8,
  isAlone: false,
  leaseMs: 600_000,
  observer: {
    finished: () => {},
    faulted: (_job, error) => process.stderr.write(`${error}\n`),
  },
});
await dispatcher.start();
for (let left = 1; left > 0; ) {
  await pause(50);
  dispatcher.wake();
  const { waiting, running } = await jobs.count();
  left = waiting + running;
}
await dispatcher.close();
