import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/values/clock.ts';
import { accessibilityViolations } from './accessibility.ts';
import { LOOKED_AT, writeBusyContent } from './busy-content.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { type PageAuthor, startPageAuthor } from './page-author.ts';
import { openWatchedPage } from './watched-page.ts';

if (chromiumMissing !== null) console.warn(`page in a browser: ${chromiumMissing}`);

const ARTIFACTS = join(
  process.env['TEST_ARTIFACTS'] ?? fileURLToPath(new URL('../../test-artifacts', import.meta.url)),
  'status-page',
);
const THEMES = ['light', 'dark'] as const;
/** Widths in CSS pixels; 320 is also what a window of 1280 shows at 400 % zoom. */
const WIDTHS = [1280, 768, 360, 320];
const HEIGHT = 800;
const VIEWS = ['landing'] as const;
type View = (typeof VIEWS)[number];

/** @see contracts/status.md sections 10 and 13, check 5 */
describe.skipIf(chromiumMissing !== null)('the status page in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  const authors: PageAuthor[] = [];
  let addresses: Readonly<Record<View, string>>;

  const startAuthor = async () => {
    const author = await startPageAuthor(new ManualClock(LOOKED_AT));
    authors.push(author);
    return author;
  };

  beforeAll(async () => {
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await launchChromium();
    const busy = await startAuthor();
    await writeBusyContent(busy);
    addresses = {
      landing: `${busy.server.url}/`,
    };
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(authors.map(({ server }) => server.close()));
  });

  describe.each(VIEWS)('%s', (view) => {
    test.each(THEMES.flatMap((theme) => WIDTHS.map((width) => [theme, width] as const)))(
      'fits, %s, %i px wide, without scripts',
      async (theme, width) => {
        const { page, close } = await openWatchedPage(browser, {
          colorScheme: theme,
          viewport: { width, height: HEIGHT },
          javaScriptEnabled: false,
        });
        await page.goto(addresses[view]);
        await page.screenshot({ path: join(ARTIFACTS, `${view}-${theme}-${width}.png`), fullPage: true });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await close();
      },
    );

    test.each(THEMES)('violates no rule of accessibility, %s', async (theme) => {
      const { page, close } = await openWatchedPage(browser, { colorScheme: theme, bypassCSP: true });
      await page.goto(addresses[view]);
      expect(await accessibilityViolations(page)).toEqual([]);
      await close();
    });
  });
});
