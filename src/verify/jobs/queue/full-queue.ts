import type { Clock } from '../../../values/clock.ts';
import type { JobRepository } from './job-repository.ts';

/** How long is believed that a queue is full: other replicas make room that nobody here hears of. */
const BELIEVED_MS = 250;
/** Under load somebody asks soon after that time. */
const FORGOTTEN_MS = 500;

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
 * Under load one more is tried now and then. Only when nobody was refused for a while are all let in: many come before
 * the first of them is answered.
 *
 * @see docs/adr/0091-full-queues-are-remembered.md
 */
export function watchQueue(jobs: JobRepository, clock: Clock): WatchedQueue {
  /** Since when the queue is believed to be full. */
  let fullAt: number | null = null;
  /** That became free, without those that somebody was let in for. */
  let places = 0;
  let seen = { inserted: false, refused: false };

  const believeFull = () => {
    fullAt = clock.now();
    seen = { inserted: false, refused: false };
  };
  return {
    letsIn() {
      if (fullAt === null) return true;
      const age = clock.now() - fullAt;
      const isBelieved = age >= 0 && age < BELIEVED_MS;
      if (isBelieved) {
        if (places === 0) return false;
        places -= 1;
        return true;
      }
      // The clock may be set back.
      const isForgotten = age < 0 || age >= FORGOTTEN_MS;
      if (isForgotten || (seen.inserted && !seen.refused)) fullAt = null;
      else believeFull();
      return true;
    },
    jobs: {
      ...jobs,
      async insert(job, limits) {
        const outcome = await jobs.insert(job, limits);
        if (outcome === 'inserted') seen.inserted = true;
        if (outcome !== 'too_many_jobs') return outcome;
        seen.refused = true;
        if (fullAt === null) {
          places = 0;
          believeFull();
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
