import type { Sql } from '../storage/sql/sql.ts';
import { withStorageErrors } from '../storage/with-storage-errors.ts';
import type { Writer } from '../storage/writer/writer.ts';
import type { StatusWrites } from './status-writes.sql.ts';
import { createPageKeeping } from './store/page-keeping.sql.ts';
import { createResponseTimes } from './store/response-times.sql.ts';
import { createStatusRepository } from './store/status-repository.sql.ts';
import { createDeliveryQueue } from './subscribers/delivery-queue.sql.ts';
import { createSubscriberRepository } from './subscribers/subscriber-repository.sql.ts';

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
