import type { Sql } from '../storage/sql/sql.ts';
import { pageWrites } from './store/page-writes.sql.ts';
import { responseTimeWrites } from './store/response-times.sql.ts';
import { deliveryWrites } from './subscribers/delivery-queue.sql.ts';
import { subscriberWrites } from './subscribers/subscriber-repository.sql.ts';

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
