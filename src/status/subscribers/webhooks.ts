import { lookup } from 'node:dns/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock } from '../../values/clock.ts';
import { type Repeat, type StartTimer, systemRepeat, systemTimer } from '../../values/repetition.ts';
import type { Caller } from '../model/changes.ts';
import { createObjectId, type RandomBytes } from '../rules/object-id.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliverySite } from './delivery-request.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { createPostWebhook, type PostWebhook } from './post-webhook.ts';
import { createSubscriberCalls, type SubscriberCalls } from './subscriber-calls.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';

export interface WebhooksParts {
  readonly repository: Pick<StatusRepository, 'read'>;
  readonly subscribers: SubscriberRepository;
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly randomness: RandomBytes;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Asked at each delivery. */
  readonly site: () => DeliverySite;
  /** Whether subscribers may have loopback, private and link-local addresses. */
  readonly allowsPrivate: boolean;
  /** Where figures are registered. Default: nowhere. */
  readonly metrics?: Registry | undefined;
  /** Default: the timers of the operating system. */
  readonly repeat?: Repeat | undefined;
  readonly startTimer?: StartTimer | undefined;
  /** Default: over the network. */
  readonly post?: PostWebhook | undefined;
}

/** The calls about subscribers, and what sends them their news. */
export interface Webhooks {
  calls(caller: Caller): SubscriberCalls;
  readonly deliveries: DeliveryWorker;
}

/**
 * Puts the parts of webhooks together.
 *
 * @see contracts/status.md section 11
 */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { repository, subscribers, queue, clock, randomness, log, site, allowsPrivate, metrics } = parts;
  const newId = () => createObjectId(randomness);
  return {
    calls: (caller) =>
      createSubscriberCalls(
        {
          repository,
          subscribers,
          clock,
          newId,
          randomness,
          allowsPrivate,
          onChanged: (change) => log.info(change, 'subscribers of the status page changed'),
        },
        caller,
      ),
    deliveries: new DeliveryWorker({
      queue,
      post: parts.post ?? createPostWebhook({ resolve: resolveName, allowsPrivate }),
      clock,
      repeat: parts.repeat ?? systemRepeat,
      startTimer: parts.startTimer ?? systemTimer,
      owner: newId(),
      site,
      metrics:
        metrics === undefined ? { attemptEnded: () => undefined } : createDeliveryMetrics(metrics, queue),
      log,
    }),
  };
}

async function resolveName(name: string) {
  return lookup(name, { all: true });
}
