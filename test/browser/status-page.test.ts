import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { type LookedAtPages, openLookedAtPages, VIEWS, type View } from './looked-at-pages.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const ARTIFACTS = join(
  process.env['TEST_ARTIFACTS'] ?? fileURLToPath(new URL('../../test-artifacts', import.meta.url)),
  'status-page',
);
const THEMES = ['light', 'dark'] as const;
/** Widths in CSS pixels; 320 is also what a window of 1280 shows at 400 % zoom. */
const WIDTHS = [1280, 768, 360, 320];
const HEIGHT = 800;
/** What is folded counts as well. */
const UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true";

const HOSTILE_VIEWS = VIEWS.filter((view) => view.endsWith('hostile'));

interface FocusStop {
  readonly name: string;
  readonly outline: string;
  /** Whether some of it is inside the window. */
  readonly isSeen: boolean;
}

/** Where the keyboard is; null outside the page. Runs in the page, as text: the tests have no types of a browser. */
const FOCUS_STOP = `(() => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return null;
  const { outlineWidth, outlineStyle } = getComputedStyle(activeElement);
  const { top, right, bottom, left } = activeElement.getBoundingClientRect();
  const isSeen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return { name: activeElement.textContent.trim(), outline: outlineWidth + ' ' + outlineStyle, isSeen };
})()`;

/** Elements and attributes that no text of an author may become. */
const DANGEROUS_ELEMENTS = `[...document.querySelectorAll('*')]
  .filter((element) =>
    element.matches('script, iframe, object, embed, base, body style, body img, body link, body meta') ||
    [...element.attributes].some(({ name, value }) =>
      name.startsWith('on') || name === 'srcdoc' || name === 'autofocus' || name === 'style' ||
      (name === 'href' && !element.matches('link') && /^\\s*(?:javascript|data|vbscript):/i.test(value))))
  .map((element) => element.outerHTML)`;

/** @see contracts/status.md sections 10 and 13, check 5 */
describe.skipIf(isLeftOut(chromiumMissing))('pages in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let pages: LookedAtPages;

  beforeAll(async () => {
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await launchChromium();
    pages = await openLookedAtPages();
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  /** Opens a page in a tab of its own; whatever `look` finds wrong fails the test. */
  async function visit(
    view: View,
    options: BrowserContextOptions,
    look: (watched: WatchedPage) => Promise<void>,
  ): Promise<void> {
    const watched = await openWatchedPage(browser, options);
    await watched.page.goto(pages.addresses[view]);
    await look(watched);
    await watched.close();
  }

  describe.each(VIEWS)('%s', (view) => {
    test.each(THEMES)('fits every width without scripts, %s', async (colorScheme) => {
      await visit(view, { colorScheme, javaScriptEnabled: false }, async ({ page }) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          const path = join(ARTIFACTS, `${view}-${colorScheme}-${width}.png`);
          await page.screenshot({ path, fullPage: true });
          expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
        }
        // Unfolded it is at its widest.
        await page.evaluate(UNFOLD);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(Math.min(...WIDTHS));
      });
    });

    test.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)('violates no rule of accessibility, %s, %i px wide', async (colorScheme, width) => {
      const viewport = { width, height: HEIGHT };
      await visit(view, { colorScheme, viewport, bypassCSP: true }, async ({ page }) => {
        await page.evaluate(UNFOLD);
        expect(await accessibilityViolations(page)).toEqual([]);
      });
    });

    test('asks only its own server, and the browser has nothing to complain about', async () => {
      await visit(view, {}, async ({ page, requests, complaints }) => {
        await page.waitForLoadState('networkidle');
        const { origin } = new URL(pages.addresses[view]);
        expect(requests.length).toBeGreaterThan(0);
        expect(requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual(
          [],
        );
        expect(complaints).toEqual(view === 'not-found' ? [expect.stringContaining('status of 404')] : []);
      });
    });
  });

  describe('by keyboard', () => {
    test.each(THEMES)(
      'everything that can be used shows where one is, the skip link first, %s',
      async (colorScheme) => {
        await visit('home', { colorScheme, javaScriptEnabled: false }, async ({ page }) => {
          const stops: string[] = [];
          const most = await page.locator('a[href], summary').count();
          while (stops.length < most) {
            await page.keyboard.press('Tab');
            const stop = await page.evaluate<FocusStop | null>(FOCUS_STOP);
            if (stop === null) break;
            expect(stop).toMatchObject({ outline: '3px solid', isSeen: true });
            stops.push(stop.name);
          }
          expect(stops[0]).toMatch(/^Skip to/);
          expect(stops.length).toBeGreaterThan(10);
        });
      },
    );

    test('the skip link leads to the content', async () => {
      await visit('home', { javaScriptEnabled: false }, async ({ page }) => {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      });
    });
  });

  describe('script in names and texts', () => {
    test.each(HOSTILE_VIEWS)('never runs and makes no element that could, %s', async (view) => {
      // Without the content policy: the page itself must be safe.
      const { page, requests, complaints, close } = await openWatchedPage(browser, { bypassCSP: true });
      await page.addInitScript('globalThis.ran = () => console.error("ran")');
      await page.goto(pages.addresses[view]);
      await page.evaluate(UNFOLD);
      await page.mouse.move(200, 200);
      for (let stop = 0; stop < 40; stop += 1) await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.body.textContent')).toContain('<script>ran()</script>');
      expect(await page.evaluate(DANGEROUS_ELEMENTS)).toEqual([]);
      expect(requests.filter((url) => url.includes('example.org'))).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
