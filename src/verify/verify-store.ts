import type { JobRepository } from './jobs/queue/with-submissions.ts';
import type { createVerifyStore } from './verify-store.sql.ts';

/** The stored state of the area, whichever database keeps it. */
export type VerifyStore = ReturnType<typeof createVerifyStore>;

/** The same as the area uses it: jobs come with their submissions. */
export interface VerifyRepositories extends Omit<VerifyStore, 'jobs'> {
  readonly jobs: JobRepository;
}
