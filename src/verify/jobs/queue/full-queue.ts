import type { Clock } from '../../../values/clock.ts';
import type { JobRepository } from './job-repository.ts';

/** Another replica may have made room that nobody here heard of. */
const REMEMBERED_MS = 250;

/** A queue, and whether it may have room for one more job. */
export interface WatchedQueue {
  readonly jobs: JobRepository;
  /**
   * Whether to read a submission and try to store it; false for a moment after a job found no place. One that is let in
   * then takes a place that this process saw become free. Costs a look at the clock.
   */
  readonly letsIn: () => boolean;
}

/**
 * Remembers that a queue is full, so that submissions need not be read to be refused: only as many as there are places.
 *
 * @see docs/adr/0091-full-queues-are-remembered.md
 */
export function watchQueue(jobs: JobRepository, clock: Clock): WatchedQueue {
  let fullAt: number | null = null;
  /** That became free since then, without those that somebody was let in for. */
  let places = 0;
  const isRemembered = (): boolean => {
    if (fullAt === null) return false;
    const age = clock.now() - fullAt;
    // The clock may be set back.
    return age >= 0 && age < REMEMBERED_MS;
  };
  return {
    letsIn() {
      if (!isRemembered()) {
        fullAt = null;
        return true;
      }
      if (places === 0) return false;
      places -= 1;
      return true;
    },
    jobs: {
      ...jobs,
      async insert(job, limits) {
        const outcome = await jobs.insert(job, limits);
        if (outcome === 'too_many_jobs' && fullAt === null) {
          fullAt = clock.now();
          places = 0;
        }
        return outcome;
      },
      async claim(lease, rule) {
        const job = await jobs.claim(lease, rule);
        if (job !== null) places += 1;
        return job;
      },
      async cancel(id, end) {
        const outcome = await jobs.cancel(id, end);
        if (outcome.kind === 'cancelled') places += 1;
        return outcome;
      },
    },
  };
}
