import type { PageKeeping } from '../store/page-keeping.ts';
import type { createDeliveryQueue } from './delivery-queue.sql.ts';
import type { SubscriberMode } from './subscriber.ts';

/** One piece of news on its way to one subscriber. */
export interface Delivery {
  /** The same at each attempt, so that receivers can drop repeats. */
  readonly id: string;
  readonly subscriberId: string;
  readonly mode: SubscriberMode;
  readonly endpoint: string;
  readonly secret: string;
  /** Attempts that failed so far. */
  readonly attempts: number;
  /** When the news were made, as receivers see it. */
  readonly generatedAt: string;
  /** JSON object: the body without its member `meta`. */
  readonly payload: string;
}

/** How an attempt ended; `nextAt` in UTC milliseconds, null: no further one. */
export type AttemptResult =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly nextAt: number | null };

/** The durable outbox. */
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/** Longer than an attempt and storing its end; after a crash it is what the others wait. */
export const LEASE_MS = 20_000;

/** The outbox as the keeper serves it; nothing is due for another replica. */
export function queueOfKeeper(queue: DeliveryQueue, keeping: PageKeeping): DeliveryQueue {
  return {
    ...queue,
    lease: async (owner, now, limit, except) =>
      keeping.isKeeper() ? queue.lease(owner, now, limit, except, keeping.token()) : [],
    settle: (owner, delivery, result, now) => queue.settle(owner, delivery, result, now, keeping.token()),
  };
}
