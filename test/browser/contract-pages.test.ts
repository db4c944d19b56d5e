import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import type { TestServer } from '../support/test-server.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import {
  COPY_ADDRESS,
  HOSTILE_ADDRESS,
  startContractServer,
  TOKEN_ADDRESS,
  UNKNOWN_ADDRESS,
} from './contract-content.ts';
import { screenshotsIn } from './screenshots.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const screenshots = screenshotsIn('contract-pages');
const PAGES = {
  token: `/repo-ui/296/${TOKEN_ADDRESS}`,
  hostile: `/repo-ui/296/${HOSTILE_ADDRESS}`,
  unverified: `/repo-ui/296/${UNKNOWN_ADDRESS}`,
  proxy: `/repo-ui/296/${TOKEN_ADDRESS}/proxy`,
  similar: `/repo-ui/296/${TOKEN_ADDRESS}/similar`,
  recent: '/repo-ui',
  problem: '/repo-ui/296/0x12',
} as const;
const FAILING: readonly string[] = ['unverified', 'problem'];
const DARK: readonly string[] = ['token', 'hostile'];
const UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true";
const LOOKS = [
  ['light', 1280],
  ['light', 390],
  ['dark', 390],
] as const;
const WIDTH = 'document.documentElement.scrollWidth - innerWidth';

describe.skipIf(isLeftOut(chromiumMissing))('pages of contracts in a browser', () => {
  let browser: Browser;
  let server: TestServer;
  /** Tabs that all pages share: without scripts, without the content policy for axe, and as people have it. */
  let plain: WatchedPage;
  let axeTab: WatchedPage;
  let tab: WatchedPage;

  beforeAll(async () => {
    browser = await launchChromium();
    plain = await openWatchedPage(browser, { javaScriptEnabled: false });
    axeTab = await openWatchedPage(browser, { bypassCSP: true });
    tab = await openWatchedPage(browser, {});
    server = await startContractServer();
    // The first visitor may see a file before its colours are there; each answer waits a moment for them.
    for (const path of [PAGES.token, PAGES.hostile]) {
      while (!(await read(path)).includes('tok-keyword'));
    }
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshots.keepFailure(browser, task.name);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const read = async (path: string): Promise<string> =>
    (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text();

  async function open(path: string, options: Parameters<typeof openWatchedPage>[1]): Promise<WatchedPage> {
    const watched = await openWatchedPage(browser, options);
    await watched.page.goto(server.url + path);
    return watched;
  }

  describe.each(Object.entries(PAGES))('%s', (name, path) => {
    test('fits both widths without a script', async () => {
      const { page } = plain;
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(server.url + path);
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await screenshots.take(page, `${name}-${colorScheme}-${width}`);
        expect(await page.evaluate(WIDTH)).toBeLessThanOrEqual(0);
      }
      await page.evaluate(UNFOLD);
      expect(await page.evaluate(WIDTH)).toBeLessThanOrEqual(0);
    });

    test('breaks no rule of accessibility', async () => {
      const { page } = axeTab;
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(server.url + path, { waitUntil: 'networkidle' });
      await page.evaluate(UNFOLD);
      expect(await accessibilityViolations(page)).toEqual([]);
      // These two have every colour.
      if (!DARK.includes(name)) return;
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await accessibilityViolations(page)).toEqual([]);
    });

    test('asks its own server alone, and the browser has nothing to complain about', async () => {
      const { page, requests, complaints } = tab;
      const [asked, complained] = [requests.length, complaints.length];
      await page.goto(server.url + path, { waitUntil: 'networkidle' });
      const own = requests.slice(asked);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints.slice(complained)).toEqual(
        FAILING.includes(name) ? [expect.stringContaining('status of 40')] : [],
      );
    });
  });

  test('a reader goes from file to file and to a line, without a script', async () => {
    const { page, close } = await open(PAGES.token, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Ownable.sol' }).click();
    expect(await page.locator('.file-head strong').textContent()).toBe(
      '@openzeppelin/contracts/access/Ownable.sol',
    );
    expect(await page.locator('.files [aria-current]').textContent()).toBe('Ownable.sol');
    await page.locator('.code-lines a', { hasText: /^12$/ }).click();
    expect(new URL(page.url()).hash).toBe('#L12');
    expect(await page.locator('.code-lines :target').count()).toBe(1);
    await close();
  });

  test('what needs a chain comes after the page', async () => {
    const { page, close } = await open(PAGES.token, {});
    await page.getByText('Not a known kind of proxy').waitFor();
    await page.locator(`[data-later] a[href="/repo-ui/296/${COPY_ADDRESS}"]`).waitFor();
    expect(await page.locator('[aria-busy]').count()).toBe(0);
    await close();
  });

  test('an address that is not verified leads to the form, and to what is alike', async () => {
    const { page, close } = await open(PAGES.unverified, {});
    await page.locator(`[data-later] a[href="/repo-ui/296/${TOKEN_ADDRESS}"]`).waitFor();
    await page.getByRole('link', { name: 'Verify source' }).click();
    expect(page.url()).toBe(`${server.url}/verify-ui?chainId=296&address=${UNKNOWN_ADDRESS}`);
    expect(await page.locator('[name=address]').inputValue()).toBe(UNKNOWN_ADDRESS);
    await close();
  });

  test('an address is found from the list', async () => {
    const { page, close } = await open(PAGES.recent, { javaScriptEnabled: false });
    await page.getByLabel('Address').fill(HOSTILE_ADDRESS);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator(`a[href="/repo-ui/296/${HOSTILE_ADDRESS}"]`).click();
    expect(await page.getByRole('note').textContent()).toContain('invisible');
    await close();
  });

  test('sources of strangers stay text', async () => {
    // Without the content policy: the page itself must be safe.
    const { page, requests, complaints, close } = await open(PAGES.hostile, { bypassCSP: true });
    await page.waitForLoadState('networkidle');
    expect(await page.locator('main script, main img, main svg, main [style], main iframe').count()).toBe(0);
    expect(await page.locator('.code-lines .unseen-mark').count()).toBeGreaterThan(4);
    expect(requests.filter((url) => url.endsWith('/x'))).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
