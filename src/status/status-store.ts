import type { PageKeeping } from './store/page-keeping.ts';
import type { ResponseTimes } from './store/response-times.ts';
import type { StatusRepository } from './store/status-repository.ts';
import type { DeliveryQueue } from './subscribers/delivery-queue.ts';
import type { SubscriberRepository } from './subscribers/subscriber-repository.ts';

/** The stored state of the area, one implementation per database. */
export interface StatusStore {
  readonly page: StatusRepository;
  readonly keeping: PageKeeping;
  readonly responseTimes: ResponseTimes;
  readonly subscribers: SubscriberRepository;
  readonly deliveries: DeliveryQueue;
}
