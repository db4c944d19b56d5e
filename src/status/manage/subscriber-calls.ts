import { Type } from '@sinclair/typebox';
import { NewSubscriberSchema, SubscriberCallSchema, SubscriberSchema } from '../documents/managed-schemas.ts';
import { type ManageCalls, readStretch, sizedBy } from './manage-route.ts';
import { membersOf } from './read-body.ts';

/** Who is told of changes. @see contracts/status.md section 4, Endpoints served */
export const SUBSCRIBER_CALLS: ManageCalls = {
  'GET /v1/pages/:pageId/subscribers': {
    id: 'listSubscribers',
    about: 'Subscribers, oldest first.',
    adds: sizedBy('per_page'),
    summary: 'Subscribers, oldest first',
    answer: Type.Array(SubscriberSchema),
    run: async ({ service, query }) => service.listSubscribers(readStretch(query)),
  },
  'POST /v1/pages/:pageId/subscribers': {
    id: 'createSubscriber',
    about: 'Subscribes an endpoint. Only this response shows the secret of its signatures.',
    summary: 'Subscribe an endpoint; only this response shows the secret of its signatures',
    body: SubscriberCallSchema,
    answer: NewSubscriberSchema,
    run: async ({ service, body }) => service.createSubscriber(membersOf(body, 'subscriber')),
  },
  'GET /v1/pages/:pageId/subscribers/:id': {
    id: 'getSubscriber',
    about: 'One subscriber.',
    summary: 'One subscriber',
    answer: SubscriberSchema,
    run: ({ service, id }) => service.readSubscriber(id),
  },
  'DELETE /v1/pages/:pageId/subscribers/:id': {
    id: 'deleteSubscriber',
    about: 'Deletes a subscription and its pending deliveries; returns the subscriber as it was.',
    summary: 'Delete a subscription and its pending deliveries; returns the subscriber as it was',
    answer: SubscriberSchema,
    run: ({ service, id }) => service.deleteSubscriber(id),
  },
};

/** Calls of other kinds of subscribers, which would otherwise look like ids. @see contracts/status.md section 4 */
export const UNSERVED_SUBSCRIBER_CALLS = [
  ['GET', '/subscribers/count'],
  ['GET', '/subscribers/histogram_by_state'],
  ['GET', '/subscribers/unsubscribed'],
  ['POST', '/subscribers/reactivate'],
  ['POST', '/subscribers/resend_confirmation'],
  ['POST', '/subscribers/unsubscribe'],
  ['PATCH', '/subscribers/:id'],
  ['PUT', '/subscribers/:id'],
] as const;
