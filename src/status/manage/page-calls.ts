import { Type } from '@sinclair/typebox';
import { type ManageRoute, readStretch } from './manage-route.ts';
import { membersOf } from './read-body.ts';
import { AuditEntrySchema, ManagedPageSchema, PageCallSchema } from './schemas.ts';

/** The page itself and who changed it. @see contracts/status.md section 4, Endpoints served */
export const PAGE_CALLS: readonly ManageRoute[] = [
  {
    method: 'GET',
    path: '',
    summary: 'The page',
    answer: ManagedPageSchema,
    run: ({ service }) => service.readPage(),
  },
  {
    method: 'PATCH',
    path: '',
    summary: 'Change the page; members that are not given stay',
    body: PageCallSchema,
    answer: ManagedPageSchema,
    run: async ({ service, body }) => service.updatePage(membersOf(body, 'page')),
  },
  {
    method: 'GET',
    path: '/audit',
    summary: 'Calls that changed something, newest first',
    answer: Type.Array(AuditEntrySchema),
    run: async ({ service, query }) => service.listAudit(readStretch(query)),
  },
];
