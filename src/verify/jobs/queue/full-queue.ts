import type { Clock } from '../../../values/clock.ts';
import type { JobRepository } from './job-repository.ts';

/** Another replica may have made room that nobody here heard of. */
const REMEMBERED_MS = 250;

/** A queue, and whether it just had no room for one more job. */
export interface WatchedQueue {
  readonly jobs: JobRepository;
  /** True for a moment after a job found no place, until this process sees that there is one. Costs a look at the clock. */
  readonly isFull: () => boolean;
}

/**
 * Remembers that a queue is full, so that the next submissions need not be read to be refused.
 *
 * @see docs/adr/0091-full-queues-are-remembered.md
 */
export function watchQueue(jobs: JobRepository, clock: Clock): WatchedQueue {
  let fullAt: number | null = null;
  return {
    isFull() {
      if (fullAt === null) return false;
      const age = clock.now() - fullAt;
      // The clock may be set back.
      return age >= 0 && age < REMEMBERED_MS;
    },
    jobs: {
      ...jobs,
      async insert(job, limits) {
        const outcome = await jobs.insert(job, limits);
        if (outcome === 'too_many_jobs') fullAt = clock.now();
        return outcome;
      },
      async claim(lease, rule) {
        const job = await jobs.claim(lease, rule);
        if (job !== null) fullAt = null;
        return job;
      },
      async cancel(id, end) {
        const outcome = await jobs.cancel(id, end);
        if (outcome.kind === 'cancelled') fullAt = null;
        return outcome;
      },
    },
  };
}
