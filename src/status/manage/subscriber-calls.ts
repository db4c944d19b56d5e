import { Type } from '@sinclair/typebox';
import { type ManageRoute, readStretch } from './manage-route.ts';
import { membersOf } from './read-body.ts';
import { NewSubscriberSchema, SubscriberCallSchema, SubscriberSchema } from './schemas.ts';

/** Who is told of changes. @see contracts/status.md section 4, Endpoints served */
export const SUBSCRIBER_CALLS: readonly ManageRoute[] = [
  {
    method: 'GET',
    path: '/subscribers',
    summary: 'Subscribers, oldest first',
    answer: Type.Array(SubscriberSchema),
    run: async ({ service, query }) => service.listSubscribers(readStretch(query)),
  },
  {
    method: 'POST',
    path: '/subscribers',
    summary: 'Subscribe an endpoint; only this answer shows the secret of its signatures',
    status: 201,
    body: SubscriberCallSchema,
    answer: NewSubscriberSchema,
    run: async ({ service, body }) => service.createSubscriber(membersOf(body, 'subscriber')),
  },
  {
    method: 'GET',
    path: '/subscribers/:id',
    summary: 'One subscriber',
    answer: SubscriberSchema,
    run: ({ service, id }) => service.readSubscriber(id),
  },
  {
    method: 'DELETE',
    path: '/subscribers/:id',
    summary: 'End a subscription, with what was not delivered yet; answers the subscriber as it was',
    answer: SubscriberSchema,
    run: ({ service, id }) => service.deleteSubscriber(id),
  },
];

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
