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
const WIDTHS = [1280, 768, 390, 320];
const HEIGHT = 800;
/** What is folded counts as well. */
const UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true";

/** What reaches beyond the window, to be read when it does. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 120)).join('\\n')`;

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

  /** One tab for all looks, one for what looks with axe, which the policy would keep out. */
  let tab: WatchedPage;
  let axeTab: WatchedPage;

  beforeAll(async () => {
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await launchChromium();
    pages = await openLookedAtPages();
    tab = await openWatchedPage(browser, { colorScheme: 'light' });
    axeTab = await openWatchedPage(browser, { bypassCSP: true });
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
    test('fits every width, asks only its own server, has no script and nothing to complain about', async () => {
      const { page, requests, complaints } = tab;
      const [asked, complained] = [requests.length, complaints.length];
      await page.setViewportSize({ width: 1280, height: HEIGHT });
      await page.goto(pages.addresses[view], { waitUntil: 'networkidle' });
      const { origin } = new URL(pages.addresses[view]);
      const own = requests.slice(asked);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints.slice(complained)).toEqual(
        view === 'not-found' ? [expect.stringContaining('status of 404')] : [],
      );
      // The status page has no script at all, so it is the same for those who let none run.
      if (view !== 'landing') expect(await page.evaluate('document.scripts.length')).toBe(0);
      await page.screenshot({ path: join(ARTIFACTS, `${view}-light-1280.png`), fullPage: true });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
          await page.evaluate<string>(TOO_WIDE),
        ).toBe(width);
      }
      // Unfolded it is at its widest.
      await page.evaluate(UNFOLD);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(Math.min(...WIDTHS));
    });

    test('violates no rule of accessibility, dark and narrow, light and wide', async () => {
      const { page } = axeTab;
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: HEIGHT });
      await page.goto(pages.addresses[view]);
      await page.screenshot({ path: join(ARTIFACTS, `${view}-dark-390.png`), fullPage: true });
      await page.evaluate(UNFOLD);
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: HEIGHT });
      expect(await accessibilityViolations(page)).toEqual([]);
    });
  });

  test('a day of a bar tells of itself to pointer and keyboard', async () => {
    await visit('home', { javaScriptEnabled: false }, async ({ page }) => {
      const shown = () =>
        page.evaluate<string[]>(
          "[...document.querySelectorAll('.strip b')].filter((tip) => getComputedStyle(tip).opacity === '1').map((tip) => tip.textContent)",
        );
      expect(await shown()).toEqual([]);
      const today = page.locator('.strip li:last-child:visible').last();
      await today.hover();
      expect(await shown()).toEqual([expect.stringMatching(/^Mar 20, today so far: /)]);
      await page.mouse.move(0, 0);
      await today.focus();
      expect(await shown()).toEqual([expect.stringMatching(/^Mar 20, today so far: /)]);
      await page.screenshot({ path: join(ARTIFACTS, 'day-in-focus.png') });
    });
  });

  describe('by keyboard', () => {
    test.each(THEMES)(
      'everything that can be used shows where one is, the skip link first, %s',
      async (colorScheme) => {
        await visit('home', { colorScheme, javaScriptEnabled: false }, async ({ page }) => {
          const stops: string[] = [];
          const most = await page.locator('a[href], summary, [tabindex="0"]').count();
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
