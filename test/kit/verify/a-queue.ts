import type { Hex } from '../../../src/values/hex.ts';
import type { InsertOutcome } from '../../../src/verify/jobs/queue/job-repository.ts';
import { withSubmissions } from '../../../src/verify/jobs/queue/with-submissions.ts';
import type { VerifyRepositories, VerifyStore } from '../../../src/verify/verify-store.ts';
import { openFileStore, openSqliteStore, type Store } from '../../support/test-store.ts';
import { ADDRESS, aJob, type InsertOptions } from './a-job.ts';

export { ADDRESS, ANY_JOB, aLease, anEnd, FAILED, OTHER_ADDRESS, SUBMISSION } from './a-job.ts';

/** The repositories on an empty database. */
export interface TestQueue extends VerifyRepositories {
  /** Inserts a job for an address, of chain 1 unless told otherwise. */
  insert(address?: Hex, options?: InsertOptions): Promise<InsertOutcome>;
}

const open = new Set<Store>();

/** Opens a queue in memory, or in a file that several queues share. */
export async function aQueue(file: string | null = null): Promise<TestQueue> {
  const store = await (file === null ? openSqliteStore() : openFileStore(file));
  open.add(store);
  return queueOn(store.verify);
}

/** The queue of a store that is open. */
export function queueOn(store: VerifyStore): TestQueue {
  const jobs = withSubmissions(store.jobs);
  return {
    ...store,
    jobs,
    insert: (address = ADDRESS, options = {}) =>
      jobs.insert(aJob(address, options), options.limits ?? { jobs: 10, bytes: 1_000_000 }),
  };
}

/** Closes every queue that a test opened. */
export async function closeQueues(): Promise<void> {
  for (const store of open) await store.close();
  open.clear();
}
