import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/values/clock.ts';
import { isLeftOut } from '../support/left-out.ts';
import { LOOKED_AT, writeBusyContent } from './busy-content.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { writeHostileContent } from './hostile-content.ts';
import { type PageAuthor, startPageAuthor } from './page-author.ts';

/** A feed as the parsers of a browser read it: the XML, and the HTML in each entry. */
interface ReadFeed {
  /** What a parser complains about; empty when the XML is well-formed. */
  readonly faults: readonly string[];
  readonly root: string;
  readonly entries: readonly {
    readonly title: string;
    /** Text of the entry's HTML. */
    readonly text: string;
    /** Elements and attributes in it that a body may not have. */
    readonly refused: readonly string[];
  }[];
}

const readFeed = (xml: string) => `(() => {
  const feed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
  const allowed = ['BR', 'P', 'B', 'STRONG', 'I', 'EM', 'CODE', 'UL', 'OL', 'LI', 'A', 'TIME'];
  const entries = [...feed.querySelectorAll('item, entry')].map((entry) => {
    const content = entry.querySelector('description, content').textContent;
    const html = new DOMParser().parseFromString(content, 'text/html');
    const refused = [...html.head.children, ...html.body.querySelectorAll('*')].filter((element) =>
      !allowed.includes(element.tagName) ||
      [...element.attributes].some(({ name, value }) =>
        !['href', 'rel', 'datetime'].includes(name) || (name === 'href' && !/^https?:/.test(value))));
    return {
      title: entry.querySelector('title').textContent,
      text: html.body.textContent,
      refused: refused.map((element) => element.outerHTML),
    };
  });
  const faults = [...feed.querySelectorAll('parsererror')].map((fault) => fault.textContent);
  return { faults, root: feed.documentElement.nodeName, entries };
})()`;

/** @see contracts/status.md section 13, check 5 */
describe.skipIf(isLeftOut(chromiumMissing))('feeds in a browser', () => {
  let browser: Browser;
  let busy: PageAuthor;
  let hostile: PageAuthor;

  const feedOf = async ({ server }: PageAuthor, path: string) => {
    const answer = await fetch(server.url + path);
    expect(answer.status).toBe(200);
    const page = await browser.newPage();
    const feed = await page.evaluate<ReadFeed>(readFeed(await answer.text()));
    await page.close();
    return feed;
  };

  beforeAll(async () => {
    browser = await launchChromium();
    [busy, hostile] = [
      await startPageAuthor(new ManualClock(LOOKED_AT)),
      await startPageAuthor(new ManualClock(LOOKED_AT)),
    ];
    await writeBusyContent(busy);
    await writeHostileContent(hostile);
  });
  afterAll(async () => {
    await browser?.close();
    for (const author of [busy, hostile]) await author?.server.close();
  });

  test.each([
    ['/status/history.rss', 'rss'],
    ['/status/history.atom', 'feed'],
  ])('%s is well-formed, with every incident and its updates', async (path, root) => {
    const feed = await feedOf(busy, path);
    expect([feed.faults, feed.root]).toEqual([[], root]);
    expect(feed.entries.map(({ title }) => title)).toContain('Verification jobs fail');
    expect(feed.entries.flatMap(({ refused }) => refused)).toEqual([]);
    expect(feed.entries.some(({ text }) => text.includes('The compiler cache disk is full.'))).toBe(true);
  });

  test.each(['/status/history.rss', '/status/history.atom'])(
    '%s stays well-formed and without script, whatever names and texts hold',
    async (path) => {
      const feed = await feedOf(hostile, path);
      expect(feed.faults).toEqual([]);
      expect(feed.entries).toHaveLength(3);
      expect(feed.entries.flatMap(({ refused }) => refused)).toEqual([]);
      expect(feed.entries.map(({ title }) => title).join()).toContain('<script>ran()</script>');
      for (const { text } of feed.entries) expect(text).toContain('<script>ran()</script>');
    },
  );
});
