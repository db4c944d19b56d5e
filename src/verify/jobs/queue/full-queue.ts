import type { Clock } from '../../../values/clock.ts';
import type { JobRepository } from './job-repository.ts';

/** How often one more is tried: other replicas make room that nobody here hears of. */
const TRIED_EVERY_MS = 250;
/** A queue from which nobody was sent away for so long is not believed to be full any more. */
const FORGOTTEN_MS = 1000;

/** A queue, and whether it may have room for one more job. */
interface WatchedQueue {
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
 * Those that are let in and bring no job, because they are wrong or never come whole, leave places empty. So one more is
 * tried now and then, and all are let in as soon as none of them has been refused for a while.
 *
 * @see docs/adr/0014-verification-queue.md
 */
export function watchQueue(jobs: JobRepository, clock: Clock): WatchedQueue {
  /** When a job last found no place; null once that is forgotten. */
  let refusedAt: number | null = null;
  let triedAt = 0;
  /** That became free, without those that somebody was let in for. */
  let places = 0;
  // The clock may be set back.
  const isWithin = (milliseconds: number, since: number) => {
    const age = clock.now() - since;
    return age >= 0 && age < milliseconds;
  };
  return {
    letsIn() {
      if (refusedAt === null) return true;
      if (!isWithin(FORGOTTEN_MS, refusedAt)) {
        refusedAt = null;
        return true;
      }
      if (places > 0) {
        places -= 1;
        return true;
      }
      if (isWithin(TRIED_EVERY_MS, triedAt)) return false;
      triedAt = clock.now();
      return true;
    },
    jobs: {
      ...jobs,
      async insert(job, limits, onSent) {
        const outcome = await jobs.insert(job, limits, onSent);
        if (outcome !== 'too_many_jobs') return outcome;
        const now = clock.now();
        if (refusedAt === null) {
          places = 0;
          triedAt = now;
        }
        refusedAt = now;
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
