import type { PageKeeping } from '../store/page-keeping.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

/** The outbox as the keeper serves it; nothing is due for another replica. */
export function queueOfKeeper(queue: DeliveryQueue, keeping: PageKeeping): DeliveryQueue {
  return {
    ...queue,
    lease: async (owner, now, limit, except) =>
      keeping.isKeeper() ? queue.lease(owner, now, limit, except, keeping.token()) : [],
    settle: (owner, delivery, result, now) => queue.settle(owner, delivery, result, now, keeping.token()),
  };
}
