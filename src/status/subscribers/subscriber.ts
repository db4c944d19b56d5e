import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ManagedSubscriber, SUBSCRIBER_MODES } from '../documents/managed-schemas.ts';
import type { RandomBytes } from '../rules/object-id.ts';
import type { ZonedTime } from '../rules/zoned-time.ts';

export type SubscriberMode = (typeof SUBSCRIBER_MODES)[number];

/** Somebody who gets every news of the page. */
export interface Subscriber {
  readonly id: string;
  readonly mode: SubscriberMode;
  /** Absolute http or https address, as given; of mode `email` a `mailto:` address. */
  readonly endpoint: string;
  /** Where mode `email` sends; in other modes kept for people who manage the page. */
  readonly email: string | null;
  /** Key of the signatures: its text, as UTF-8. */
  readonly secret: string;
  /** UTC milliseconds. */
  readonly createdAt: number;
}

/** How many there may be: every change writes a row for each of them. */
export const MAX_SUBSCRIBERS = 1000;

const SECRET_BYTES = 32;

/** Describes a subscriber without its secret. */
export function managedSubscriber(subscriber: Subscriber, time: ZonedTime): ManagedSubscriber {
  const { id, mode, endpoint, email, createdAt } = subscriber;
  return { id, mode, endpoint: mode === 'email' ? null : endpoint, email, created_at: time.print(createdAt) };
}

/** Makes the text of a secret from 32 random bytes. */
export function createSubscriberSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
}

/** Proves that a link came from a mail to this subscriber; it cannot sign deliveries. */
export function unsubscribeKey({ secret, id }: Pick<Subscriber, 'secret' | 'id'>): string {
  return createHmac('sha256', secret).update(`unsubscribe ${id}`).digest('base64url');
}

/** Whether a link's key is the subscriber's, in constant time. */
export function isUnsubscribeKey(key: string, subscriber: Subscriber): boolean {
  const [given, wanted] = [Buffer.from(key), Buffer.from(unsubscribeKey(subscriber))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
