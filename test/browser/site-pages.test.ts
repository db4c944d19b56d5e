import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { screenshotsIn } from './screenshots.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const screenshots = screenshotsIn('site');
const PAGES = { landing: '/', unknown: '/no/such/page' };
const VIEWS = (['light', 'dark'] as const).flatMap((theme) =>
  [1280, 390].map((width) => [theme, width] as const),
);

describe.skipIf(isLeftOut(chromiumMissing))('pages of the site in a browser', () => {
  let browser: Browser;
  let server: TestServer;
  /** A tab that all views share, without the content policy for axe. */
  let axeTab: WatchedPage;

  beforeAll(async () => {
    [browser, server] = await Promise.all([
      launchChromium(),
      startTestServer({ env: { VERIFY_CHAINS: '{"296":{"ledger":true}}' } }),
    ]);
    axeTab = await openWatchedPage(browser, { bypassCSP: true });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshots.keepFailure(browser, task.name);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  describe.each(Object.entries(PAGES))('%s', (name, path) => {
    test.each(VIEWS)('%s, %i px: fits, and by the rules of accessibility', async (colorScheme, width) => {
      const { page } = axeTab;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(server.url + path);
      await screenshots.take(page, `${name}-${colorScheme}-${width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityViolations(page)).toEqual([]);
    });
  });

  test('the commands can be copied, and everything comes from the server itself', async () => {
    const watched = await openWatchedPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = watched;
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Copy' }).nth(1).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^curl -s .*\/api\/v2\/status\.json$/,
    );
    await page.getByRole('link', { name: 'Ledger', exact: true }).first().click();
    await page.waitForURL('**/ledger');
    expect(watched.requests.filter((url) => !url.startsWith(server.url))).toEqual([]);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });
});
