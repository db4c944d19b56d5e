import type { SqliteDatabase } from '../storage/sqlite.ts';
import { withStorageErrors } from '../storage/with-storage-errors.ts';
import { createInlineWriter } from '../storage/writer/inline-writer.ts';
import type { Writer } from '../storage/writer/writer.ts';
import type { StatusStore } from './status-store.ts';
import { type StatusWrites, statusWrites } from './status-writes.sqlite.ts';
import { createSqliteResponseTimes } from './store/response-times.sqlite.ts';
import { createSqliteStatusRepository } from './store/status-repository.sqlite.ts';
import { createSqliteDeliveryQueue } from './subscribers/delivery-queue.sqlite.ts';
import { createSqliteSubscriberRepository } from './subscribers/subscriber-repository.sqlite.ts';

/**
 * The state of the area in an opened and migrated SQLite database, which stays open.
 *
 * @param writer does the writes. Default: on the database, in this thread.
 */
export function createSqliteStatusStore(
  database: SqliteDatabase,
  writer: Writer<StatusWrites> = createInlineWriter(database, statusWrites(database)),
): StatusStore {
  return {
    page: withStorageErrors(createSqliteStatusRepository(database, writer)),
    responseTimes: withStorageErrors(createSqliteResponseTimes(database, writer)),
    subscribers: withStorageErrors(createSqliteSubscriberRepository(database, writer)),
    deliveries: withStorageErrors(createSqliteDeliveryQueue(database, writer)),
  };
}
