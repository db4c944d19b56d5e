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
import { DeliveryWorker } from './delivery-worker.ts';
import type { Mailer } from './mail/mailer.ts';
import { createPostWebhook, type PostWebhook } from './post-webhook.ts';
import { createSendDelivery, type DeliverySite } from './send-delivery.ts';
import { createSubscriberCalls, type SubscriberCalls } from './subscriber-calls.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';

interface WebhooksParts {
  readonly repository: Pick<StatusRepository, 'read' | 'readPage'>;
  readonly subscribers: SubscriberRepository;
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly randomness: RandomBytes;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Asked at each delivery. */
  readonly site: () => DeliverySite;
  /** Whether subscribers may have loopback, private and link-local addresses. */
  readonly allowsPrivate: boolean;
  /** Null: no mail is sent. */
  readonly mailer: Mailer | null;
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

/** The calls about subscribers, and what sends them their news. */
interface Webhooks {
  calls(caller: Caller): SubscriberCalls;
  readonly deliveries: DeliveryWorker;
}

/**
 * Puts the parts of webhooks together.
 *
 * @see contracts/status.md section 11
 */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { repository, subscribers, queue, clock, randomness, log, site, allowsPrivate, metrics, mailer } =
    parts;
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
          sendsMail: mailer !== null,
          onChanged: (change) => log.info(change, 'subscribers of the status page changed'),
        },
        caller,
      ),
    deliveries: new DeliveryWorker({
      queue,
      send: createSendDelivery({
        post: parts.post ?? createPostWebhook({ resolve: resolveName, allowsPrivate }),
        mailer,
        mailDomain: parts.mailDomain,
        site,
        readPage: () => repository.readPage(),
      }),
      clock,
      repeat: parts.repeat ?? systemRepeat,
      startTimer: parts.startTimer ?? systemTimer,
      owner: newId(),
      metrics:
        metrics === undefined ? { attemptEnded: () => undefined } : createDeliveryMetrics(metrics, queue),
      log,
    }),
  };
}

async function resolveName(name: string) {
  return lookup(name, { all: true });
}
