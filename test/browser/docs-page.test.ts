import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { openWatchedPage } from './watched-page.ts';

const ARTIFACTS = join(
  process.env['TEST_ARTIFACTS'] ?? fileURLToPath(new URL('../../test-artifacts', import.meta.url)),
  'docs',
);

describe.skipIf(isLeftOut(chromiumMissing))('/docs in a browser', () => {
  let browser: Browser;
  let server: TestServer;

  beforeAll(async () => {
    mkdirSync(ARTIFACTS, { recursive: true });
    browser = await launchChromium();
    server = await startTestServer({});
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.each(['/docs', '/docs/', '/docs/static/index.html'])('%s leads home', async (path) => {
    const { close, page } = await openWatchedPage(browser, { viewport: { width: 1280, height: 900 } });
    await page.goto(server.url + path);
    for (const name of ['Contracts', 'Ledger', 'Status', 'API'])
      expect(await page.getByRole('navigation').getByRole('link', { name, exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'Ledgerlens', exact: true }).click();
    await page.waitForURL(`${server.url}/`);
    expect(await page.title()).not.toContain('API');
    await close();
  });

  test.each([1280, 390])('%i px: is ours, opens an operation, and asks nobody else', async (width) => {
    const watched = await openWatchedPage(browser, { viewport: { width, height: 900 } });
    const { page } = watched;
    const answer = await page.goto(`${server.url}/docs/`);
    expect(answer?.headers()['content-security-policy']).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(await page.title()).toBe('API of this server · Ledgerlens');
    const home = page.getByRole('link', { name: 'Ledgerlens', exact: true });
    await home.waitFor();
    const operation = page.locator('.opblock').first();
    await operation.waitFor();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-inner').waitFor();
    await page.screenshot({ path: join(ARTIFACTS, `docs-${width}.png`) });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await page.content()).not.toContain('>Swagger UI<');
    await home.click();
    await page.waitForURL(`${server.url}/`);
    expect(watched.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual(
      [],
    );
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });
});
