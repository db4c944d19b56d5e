import { lookup } from 'node:dns/promises';
import type { Registry } from 'prom-client';
import { type Repeat, type StartTimer, systemRepeat, systemTimer } from '../../values/repetition.ts';
import type { Caller } from '../model/changes.ts';
import { createObjectId } from '../rules/object-id.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { createPostWebhook, type PostWebhook } from './post-webhook.ts';
import { createSendDelivery, type DeliverySite } from './send-delivery.ts';
import { createSubscriberCalls, type SubscribersParts } from './subscriber-calls.ts';

interface WebhooksParts extends SubscribersParts {
  readonly queue: DeliveryQueue;
  /** Asked at each delivery. */
  readonly site: () => DeliverySite;
  /** Domain of the sender of mails. */
  readonly mailDomain: string;
  /** Where figures are registered. Default: nowhere. */
  readonly metrics?: Registry | undefined;
  /** Default: the timers of the operating system. */
  readonly repeat?: Repeat | undefined;
  readonly startTimer?: StartTimer | undefined;
  /** Default: over the network. */
  readonly post?: PostWebhook | undefined;
}

/**
 * The calls about subscribers, and what sends them their news.
 *
 * @see contracts/status.md section 11
 */
export function createWebhooks(parts: WebhooksParts) {
  const { repository, queue, allowsPrivate, metrics } = parts;
  return {
    calls: (caller: Caller) => createSubscriberCalls(parts, caller),
    deliveries: new DeliveryWorker({
      ...parts,
      send: createSendDelivery({
        ...parts,
        post: parts.post ?? createPostWebhook({ resolve: resolveName, allowsPrivate }),
        readPage: () => repository.readPage(),
      }),
      repeat: parts.repeat ?? systemRepeat,
      startTimer: parts.startTimer ?? systemTimer,
      owner: createObjectId(parts.randomness),
      metrics:
        metrics === undefined ? { attemptEnded: () => undefined } : createDeliveryMetrics(metrics, queue),
    }),
  };
}

async function resolveName(name: string) {
  return lookup(name, { all: true });
}
