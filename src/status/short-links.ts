import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { ListenerOptions } from '../http/area.ts';
import type { OnDemandDocuments } from './documents/on-demand-documents.ts';
import { StatusNotFoundError } from './errors.ts';

const ID = /^[\w-]{1,64}$/;
/** An incident may be deleted; its address never changes. */
const CACHING = 'public, max-age=60';

/** What short links are made of. */
interface ShortLinksDependencies {
  readonly onDemand: Pick<OnDemandDocuments, 'incident'>;
  /** Paths of the status page in links, by listener, without a slash at the end. */
  readonly pages: { readonly shared: string; readonly own: string };
}

/**
 * Answers `shortlink` of incidents and maintenances: `/i/{id}` below the page and, because `page.url` may be a bare
 * host, at the root. Leads to the incident's page on the same listener.
 *
 * @see contracts/status.md section 2, shortlink
 */
export function createShortLinks({
  onDemand,
  pages,
}: ShortLinksDependencies): FastifyPluginAsync<ListenerOptions> {
  return async (app, { isOwnListener = false }) => {
    const page = isOwnListener ? pages.own : pages.shared;
    for (const base of isOwnListener ? [''] : ['/status', '']) {
      app.get<{ Params: { id: string } }>(
        `${base}/i/:id`,
        {
          schema: {
            summary: 'Short link of an incident or maintenance',
            tags: ['status'],
            hide: base === '' && !isOwnListener,
            response: { 302: Type.Null({ description: 'Redirects to the page of the incident' }) },
          },
        },
        async ({ params: { id } }, reply) => {
          if (!ID.test(id)) throw new StatusNotFoundError('path', id);
          await onDemand.incident(id);
          return reply.header('cache-control', CACHING).redirect(`${page}/incidents/${id}`, 302);
        },
      );
    }
  };
}
