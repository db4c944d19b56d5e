import type { Sql } from '../storage/sql/sql.ts';
import { withStorageErrors } from '../storage/with-storage-errors.ts';
import type { Writer } from '../storage/writer/writer.ts';
import { createPageKeeping } from './store/page-keeping.sql.ts';
import { pageWrites } from './store/page-writes.sql.ts';
import { createResponseTimes, responseTimeWrites } from './store/response-times.sql.ts';
import { createStatusRepository } from './store/status-repository.sql.ts';
import { createDeliveryQueue, deliveryWrites } from './subscribers/delivery-queue.sql.ts';
import { createSubscriberRepository, subscriberWrites } from './subscribers/subscriber-repository.sql.ts';

/**
 * The state of the area in an opened and migrated database, which stays open.
 *
 * @param writer does the writes.
 */
export function createStatusStore(sql: Sql, writer: Writer<StatusWrites>) {
  return {
    page: withStorageErrors(createStatusRepository(sql, writer)),
    keeping: withStorageErrors(createPageKeeping(sql)),
    responseTimes: withStorageErrors(createResponseTimes(sql, writer)),
    subscribers: withStorageErrors(createSubscriberRepository(sql, writer)),
    deliveries: withStorageErrors(createDeliveryQueue(sql, writer)),
  };
}

export type StatusWrites = ReturnType<typeof statusWrites>;

/** Everything that the area writes; each is called inside a transaction of its own. */
export function statusWrites(sql: Sql) {
  return {
    ...pageWrites(sql),
    ...responseTimeWrites(sql),
    ...deliveryWrites(sql),
    ...subscriberWrites(sql),
  };
}
