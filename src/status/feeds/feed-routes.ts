import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { ListenerOptions } from '../../http/area.ts';
import type { HeaderLines } from '../../http/header-lines.ts';
import type { DocumentCache } from '../../pages/document-cache.ts';
import { encodeText } from '../../pages/encoded-document.ts';
import { PUBLIC_CACHING, sendDocument } from '../../pages/send-document.ts';
import { StatusNotFoundError } from '../errors.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { FEED_ENTRIES, type FeedView, feedView } from './feed-view.ts';
import { renderAtom, renderRss } from './render-feed.ts';

interface Feed {
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  render(feed: FeedView): string;
}

const FEEDS: readonly Feed[] = [
  { path: '/history.rss', summary: 'History as RSS 2.0', type: 'application/rss+xml', render: renderRss },
  { path: '/history.atom', summary: 'History as Atom 1.0', type: 'application/atom+xml', render: renderAtom },
];

/** What the feeds are made of. */
interface FeedRoutesDependencies {
  readonly cache: Pick<DocumentCache, 'get'>;
  readonly repository: Pick<StatusRepository, 'readPage' | 'readHistory'>;
}

/**
 * Serves the feeds below the page and, because `page.url` may be a bare host, at the root.
 *
 * @see contracts/status.md section 10
 */
export function createFeedRoutes({
  cache,
  repository,
}: FeedRoutesDependencies): FastifyPluginAsync<ListenerOptions> {
  return async (app, { isOwnListener = false }) => {
    for (const feed of FEEDS) {
      const headers = headersOf(feed);
      const document = () =>
        cache.get(feed.path, null, async () => {
          if (!(await repository.readPage()).allowFeeds) throw new StatusNotFoundError('path', feed.path);
          const state = await repository.readHistory('', { offset: 0, limit: FEED_ENTRIES });
          return encodeText(feed.render(feedView(state)), new Date(state.page.updatedAt).toUTCString());
        });
      for (const base of isOwnListener ? [''] : ['/status', '']) {
        app.get(
          `${base}${feed.path}`,
          {
            // The bytes are kept compressed as well.
            compress: false,
            schema: {
              summary: feed.summary,
              tags: ['status'],
              hide: base === '' && !isOwnListener,
              response: {
                200: {
                  description: `The ${FEED_ENTRIES} newest incidents and maintenances`,
                  content: { [feed.type]: { schema: Type.String() } },
                },
                304: Type.Null({ description: 'Not modified' }),
              },
            },
          },
          async (request, reply) => sendDocument(await document(), headers, request, reply),
        );
      }
    }
  };
}

function headersOf({ type }: Feed): HeaderLines {
  return [
    ...['access-control-expose-headers', 'ETag'],
    ...PUBLIC_CACHING,
    ...['content-type', `${type}; charset=utf-8`],
    ...['vary', 'Accept-Encoding'],
    ...['x-content-type-options', 'nosniff'],
  ];
}
