import { Counter, Gauge, type Registry } from 'prom-client';
import type { DeliveryQueue } from './delivery-queue.ts';

/** How an attempt to deliver ended; `given_up` was the last one. */
type AttemptEnd = 'delivered' | 'failed' | 'given_up';

/** Figures of webhooks for `GET /metrics`. */
export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Registers the figures; their labels do not grow with the number of subscribers. */
export function createDeliveryMetrics(registry: Registry, queue: DeliveryQueue) {
  const ended = new Counter({
    name: 'ledgerlens_status_delivery_attempts_total',
    help: 'Attempts to deliver notifications of the status page to a subscriber, by end (delivered, failed, given_up)',
    labelNames: ['end'],
    registers: [registry],
  });
  new Gauge({
    name: 'ledgerlens_status_deliveries',
    help: 'Deliveries waiting for an attempt, and those given up in the last 30 days, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { waiting, givenUp } = await queue.count();
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'given_up' }, givenUp);
    },
  });
  return { attemptEnded: (end: AttemptEnd) => ended.inc({ end }) };
}
