import type { Clock } from '../../../values/clock.ts';
import type { FullQueue, InsertOutcome } from './job-repository.ts';
import type { JobRepository } from './with-submissions.ts';

/** How often one more is tried: other replicas make room that nobody here hears of. */
const TRIED_EVERY_MS = 250;
/** After so long without a refusal nobody is believed to be refused any more. */
const FORGOTTEN_MS = 1000;
/** Clients of which a refusal is known. Of more than these the ones that were refused first are forgotten. */
const MAX_CLIENTS = 1000;

/**
 * Remembers that a queue is full, or full for a client, so that submissions need not be read to be refused: only as many
 * as there are places.
 *
 * Those that are let in and bring no job, because they are wrong or never come whole, leave places empty. So one more is
 * tried now and then, and all are let in as soon as none of them has been refused for a while.
 *
 * @see docs/adr/0014-verification-queue.md
 */
export function watchQueue(jobs: JobRepository, clock: Clock) {
  const queue = new Refusals(clock);
  const clients = new Map<string, Refusals>();
  const placeBecameFree = () => {
    for (const each of [queue, ...clients.values()]) each.placeBecameFree();
  };
  const refused = (client: string | undefined, outcome: InsertOutcome) => {
    if (outcome === 'too_many_jobs') queue.refused(outcome);
    if (client === undefined || (outcome !== 'too_many_of_client' && outcome !== 'too_many_bytes')) return;
    const own = clients.get(client) ?? new Refusals(clock);
    own.refused(outcome);
    // The last one of the map is the one that was refused last.
    clients.delete(client);
    clients.set(client, own);
    for (const oldest of clients.keys()) {
      if (clients.size <= MAX_CLIENTS) return;
      clients.delete(oldest);
    }
  };
  const watched: JobRepository = {
    ...jobs,
    async insert(job, limits, onSent) {
      const outcome = await jobs.insert(job, limits, onSent);
      refused(job.client, outcome);
      return outcome;
    },
    async claim(lease, rule) {
      const job = await jobs.claim(lease, rule);
      if (job !== null) placeBecameFree();
      return job;
    },
    async cancel(id, end, which) {
      const outcome = await jobs.cancel(id, end, which);
      if (outcome.kind === 'cancelled') placeBecameFree();
      return outcome;
    },
  };
  return {
    jobs: watched,
    /**
     * Whether to read a submission of a client and try to store it; null when it is worth it, and otherwise why not: a job,
     * or one of this client, has just found no place. One that is let in then takes a place that this process saw become
     * free. Costs a look at the clock.
     */
    refusalOf(client: string): FullQueue | null {
      // Who is refused for itself must not use up the places of the others.
      const own = clients.get(client)?.next() ?? null;
      if (own !== null) return own;
      if (clients.get(client)?.isForgotten === true) clients.delete(client);
      return queue.next();
    },
  };
}

/** What is known of the refusals of one queue or one client. */
class Refusals {
  readonly #clock: Clock;
  /** The last one; null once that is forgotten. */
  #last: { readonly reason: FullQueue; readonly at: number } | null = null;
  #triedAt = 0;
  /** That became free, without those that somebody was let in for. */
  #places = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isForgotten(): boolean {
    return this.#last === null;
  }

  /** Null for one that is let in. */
  next(): FullQueue | null {
    if (this.#last === null) return null;
    if (!this.#isWithin(FORGOTTEN_MS, this.#last.at)) {
      this.#last = null;
      return null;
    }
    if (this.#places > 0) {
      this.#places -= 1;
      return null;
    }
    if (this.#isWithin(TRIED_EVERY_MS, this.#triedAt)) return this.#last.reason;
    this.#triedAt = this.#clock.now();
    return null;
  }

  refused(reason: FullQueue): void {
    const at = this.#clock.now();
    if (this.#last === null) {
      this.#places = 0;
      this.#triedAt = at;
    }
    this.#last = { reason, at };
  }

  placeBecameFree(): void {
    this.#places += 1;
  }

  /** The clock may be set back. */
  #isWithin(milliseconds: number, since: number): boolean {
    const age = this.#clock.now() - since;
    return age >= 0 && age < milliseconds;
  }
}
