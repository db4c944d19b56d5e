import type { KeeperToken, PageKeeping } from '../store/page-keeping.ts';
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

/**
 * The durable outbox. Its rows are written with the change that they tell of.
 *
 * A subscriber is served by one process at a time: whoever holds its lease. A lease that ended may be taken by
 * anybody, so a process that stood still longer may send once more what another one sends too. Its writes do not wait
 * for others: they are refused by `StorageBusyError`, and asking again later helps.
 *
 * @see docs/adr/0023-status-page.md
 */
export interface DeliveryQueue {
  /**
   * Takes subscribers for whom something is due and whom nobody serves, at most `limit`, those whose newest attempt
   * did not fail first.
   *
   * @param except ids of those whom the owner still serves, though their lease may have ended.
   * @param keeper what says that this process keeps the page. Default null: anybody may send.
   * @returns for each the delivery that has been due longest.
   */
  lease(
    owner: string,
    now: number,
    limit: number,
    except?: readonly string[],
    keeper?: KeeperToken | null,
  ): Promise<readonly Delivery[]>;
  /**
   * Stores how an attempt ended. A success prolongs the lease when more is due; otherwise it ends.
   *
   * @param keeper as of {@link lease}; who does not keep the page any more gives the subscriber back.
   * @returns the next delivery to this subscriber; null: none, or the lease is not held any more.
   */
  settle(
    owner: string,
    delivery: Delivery,
    result: AttemptResult,
    now: number,
    keeper?: KeeperToken | null,
  ): Promise<Delivery | null>;
  /** Gives back leases without an attempt having ended. */
  release(owner: string): Promise<void>;
  /** How many deliveries wait for an attempt, and how many were given up and are still kept. */
  count(): Promise<{ readonly waiting: number; readonly givenUp: number }>;
}

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
