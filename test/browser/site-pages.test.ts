import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { openWatchedPage } from './watched-page.ts';

const ARTIFACTS = join(
  process.env['TEST_ARTIFACTS'] ?? fileURLToPath(new URL('../../test-artifacts', import.meta.url)),
  'site',
);
const PAGES = { landing: '/', unknown: '/no/such/page' };
const VIEWS = ['light', 'dark'].flatMap((theme) => [1280, 390].map((width) => [theme, width] as const));

describe.skipIf(isLeftOut(chromiumMissing))('pages of the site in a browser', () => {
  let browser: Browser;
  let server: TestServer;

  beforeAll(async () => {
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await launchChromium();
    server = await startTestServer({ env: { VERIFY_CHAINS: '{"296":{"ledger":true}}' } });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  describe.each(Object.entries(PAGES))('%s', (name, path) => {
    test.each(VIEWS)(
      '%s, %i px: fits, without a script, and by the rules of accessibility',
      async (colorScheme, width) => {
        const watched = await openWatchedPage(browser, {
          colorScheme: colorScheme as 'light' | 'dark',
          javaScriptEnabled: false,
          viewport: { width, height: 900 },
        });
        await watched.page.goto(server.url + path);
        await watched.page.screenshot({
          path: join(ARTIFACTS, `${name}-${colorScheme}-${width}.png`),
          fullPage: true,
        });
        await watched.close();

        const scripted = await openWatchedPage(browser, {
          colorScheme: colorScheme as 'light' | 'dark',
          bypassCSP: true,
          viewport: { width, height: 900 },
        });
        await scripted.page.goto(server.url + path);
        expect(
          await scripted.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).toBeLessThanOrEqual(0);
        expect(await accessibilityViolations(scripted.page)).toEqual([]);
        await scripted.close();
      },
    );
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
