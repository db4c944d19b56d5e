import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Hex } from '../../values/hex.ts';
import type { InsertOutcome } from '../jobs/queue/job-repository.ts';
import { withSubmissions } from '../jobs/queue/with-submissions.ts';
import { createSqliteVerifyStore } from '../verify-store.sqlite.ts';
import type { VerifyRepositories } from '../verify-store.ts';
import { ADDRESS, aJob, type InsertOptions } from './a-job.ts';

export { ADDRESS, ANY_JOB, aLease, anEnd, FAILED, OTHER_ADDRESS, SUBMISSION } from './a-job.ts';

/** The repositories on an empty database. */
export interface TestQueue extends VerifyRepositories {
  readonly database: SqliteDatabase;
  /** Inserts a job for an address, of chain 1 unless told otherwise. */
  insert(address?: Hex, options?: InsertOptions): Promise<InsertOutcome>;
}

const open = new Set<SqliteDatabase>();

/** Opens a queue in memory, or on a database that several queues share. */
export function aQueue(file = ':memory:'): TestQueue {
  const database = openDatabase(file);
  open.add(database);
  const store = createSqliteVerifyStore(database);
  const repositories = { ...store, jobs: withSubmissions(store.jobs) };
  return {
    ...repositories,
    database,
    insert: (address = ADDRESS, options = {}) =>
      repositories.jobs.insert(aJob(address, options), options.limits ?? { jobs: 10, bytes: 1_000_000 }),
  };
}

/** Closes every queue that a test opened. */
export function closeQueues(): void {
  for (const database of open) database.close();
  open.clear();
}
