import { html, printHtml } from '../../pages/html.ts';
import type { FeedEntry, FeedView } from './feed-view.ts';

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
