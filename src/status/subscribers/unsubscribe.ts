import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Subscriber } from './subscriber.ts';

/** Proves that a link came from a mail to this subscriber; it cannot sign deliveries. */
export function unsubscribeKey({ secret, id }: Pick<Subscriber, 'secret' | 'id'>): string {
  return createHmac('sha256', secret).update(`unsubscribe ${id}`).digest('base64url');
}

/** Whether a link's key is the subscriber's, in constant time. */
export function isUnsubscribeKey(key: string, subscriber: Subscriber): boolean {
  const [given, wanted] = [Buffer.from(key), Buffer.from(unsubscribeKey(subscriber))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
