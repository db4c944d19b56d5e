import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { ListenerOptions } from '../../http/area.ts';
import type { HeaderLines } from '../../http/header-lines.ts';
import type { DocumentCache } from '../../pages/document-cache.ts';
import { encodeText } from '../../pages/encoded-document.ts';
import { html, printHtml } from '../../pages/html.ts';
import { PUBLIC_CACHING, sendDocument } from '../../pages/send-document.ts';
import { StatusNotFoundError } from '../errors.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { FEED_ENTRIES, type FeedEntry, type FeedView, feedView } from './feed-view.ts';

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

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

/** The feed as Atom 1.0. @see RFC 4287 */
export function renderAtom(feed: FeedView): string {
  const entry = ({ id, title, link, publishedAt, updatedAt, summary, content }: FeedEntry) => html`
  <entry>
    <id>${id}</id>
    <title>${title}</title>
    <link rel="alternate" type="text/html" href="${link}"/>
    <published>${feed.printTime(publishedAt)}</published>
    <updated>${feed.printTime(updatedAt)}</updated>
    <summary>${summary}</summary>
    <content type="html">${content}</content>
  </entry>`;
  return `${DECLARATION}${printHtml(html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${feed.id}</id>
  <title>${feed.title}</title>
  <link rel="self" type="application/atom+xml" href="${feed.pageUrl}/history.atom"/>
  <link rel="alternate" type="text/html" href="${feed.pageUrl}"/>
  <updated>${feed.printTime(feed.updatedAt)}</updated>
  <author>
    <name>${feed.author}</name>
  </author>${feed.entries.map(entry)}
</feed>
`)}`;
}

/**
 * The feed as RSS 2.0.
 *
 * An item has one date there: that of its newest change.
 *
 * @see https://www.rssboard.org/rss-specification
 */
export function renderRss(feed: FeedView): string {
  const item = ({ id, title, link, updatedAt, content }: FeedEntry) => html`
    <item>
      <guid isPermaLink="false">${id}</guid>
      <title>${title}</title>
      <link>${link}</link>
      <pubDate>${new Date(updatedAt).toUTCString()}</pubDate>
      <description>${content}</description>
    </item>`;
  return `${DECLARATION}${printHtml(html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${feed.title}</title>
    <link>${feed.pageUrl}</link>
    <description>${feed.title}</description>
    <language>en</language>
    <pubDate>${new Date(feed.updatedAt).toUTCString()}</pubDate>
    <atom:link rel="self" type="application/rss+xml" href="${feed.pageUrl}/history.rss"/>${feed.entries.map(item)}
  </channel>
</rss>
`)}`;
}
