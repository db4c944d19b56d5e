import type { Sql } from '../../storage/sql/sql.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRow, deliveryWrites } from './delivery-writes.sql.ts';
import { prepareFreeSubscribers } from './free-subscribers.sql.ts';

/** Nobody waits for a delivery. */
const AT_ONCE = { patienceMs: 0 };

/** The outbox in SQLite. */
export function createDeliveryQueue(
  sql: Sql,
  writer: Writer<ReturnType<typeof deliveryWrites>>,
): DeliveryQueue {
  const free = prepareFreeSubscribers(sql);
  const count = sql.prepare<unknown[], { readonly waiting: number; readonly givenUp: number }>(
    'SELECT count(next_at) AS waiting, count(*) - count(next_at) AS givenUp FROM status_delivery',
  );
  return {
    async lease(owner, now, limit, except = [], keeper = null) {
      // Nearly always nothing is due: that is found without the write lock.
      const first = await sql.read(() => free({ now, limit: 1, except }));
      if (first.length === 0) return [];
      return writer.write('leaseDeliveries', { owner, now, limit, except, keeper }, AT_ONCE);
    },
    settle(owner, delivery, result, now, keeper = null) {
      const end = { owner, delivery: delivery as DeliveryRow, result, now, keeper };
      return writer.write('settleDelivery', end, AT_ONCE);
    },
    release: (owner) => writer.write('releaseDeliveries', owner, AT_ONCE),
    count: sql.reading(function* () {
      return (yield* count.get()) ?? { waiting: 0, givenUp: 0 };
    }),
  };
}
