import type { SqliteDatabase } from '../storage/sqlite.ts';
import { pageWrites } from './store/page-writes.sqlite.ts';
import { responseTimeWrites } from './store/response-times.sqlite.ts';
import { deliveryWrites } from './subscribers/delivery-writes.sqlite.ts';
import { subscriberWrites } from './subscribers/subscriber-writes.sqlite.ts';

export type StatusWrites = ReturnType<typeof statusWrites>;

/** Everything that the area writes; each is called inside a transaction of its own. */
export function statusWrites(database: SqliteDatabase) {
  return {
    ...pageWrites(database),
    ...responseTimeWrites(database),
    ...deliveryWrites(database),
    ...subscriberWrites(database),
  };
}
