import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest } from '../kit/verify/compile-for-test.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { screenshotsIn } from './screenshots.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const screenshots = screenshotsIn('verify-pages');
const VERSION = '0.8.30+commit.73712a01';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
  uint256 public immutable start;
  uint256 public count;
  constructor(uint256 from) { start = from; }
  function add(uint256 by) external { require(by < 100, "too much"); count += by; }
}
contract Other { uint256 public other = 8; }
`;
const INPUT = {
  language: 'Solidity',
  sources: { 'contracts/Counter.sol': { content: SOURCE } },
  settings: { optimizer: { enabled: true, runs: 200 } },
};
const BUILD_INFO = { _format: 'hh-sol-build-info-1', solcLongVersion: VERSION, input: INPUT };
const addresses = ['1', '2', '3', '4', '5', '6', '7'].map((digit) => `0x${digit.repeat(40)}`);
const [PASTED, DROPPED, CHOSEN, DIFFERENT, HOSTILE, UPLOADED] = addresses as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const WIDTHS = [1280, 390];
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true";

describe.skipIf(isLeftOut(chromiumMissing))('verification pages in a browser', () => {
  let browser: Browser;
  let server: TestServer;

  beforeAll(async () => {
    const { runtime } = compileForTest(INPUT, 'contracts/Counter.sol', 'Counter');
    // The value of the immutable, which the compiler leaves as zeros.
    const deployed = runtime.replaceAll(`7f${'00'.repeat(32)}`, `7f${'00'.repeat(31)}2a`);
    const contracts = Object.fromEntries(
      addresses.map((address) => [address, { runtimeBytecode: deployed }]),
    );
    const chains = {
      31337: { name: 'Local chain', static: contracts },
      296: { name: 'Other chain', static: {} },
    };
    server = await startTestServer({ env: { VERIFY_CHAINS: JSON.stringify(chains) } });
    browser = await launchChromium();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshots.keepFailure(browser, task.name);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function visit(
    path: string,
    options: BrowserContextOptions,
    look: (watched: WatchedPage) => Promise<void>,
  ): Promise<void> {
    const watched = await openWatchedPage(browser, options);
    await watched.page.goto(server.url + path);
    await look(watched);
    const foreign = watched.requests.filter(
      (url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'),
    );
    expect(foreign).toEqual([]);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  }

  /** Pictures and widths of what is open now. */
  async function picture(page: Page, name: string): Promise<void> {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        const look = `${name}-${colorScheme}-${width}`;
        await screenshots.take(page, look);
        expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBe(width);
      }
    }
  }

  async function fillPlace(page: Page, address: string): Promise<void> {
    await page.getByLabel('Chain').selectOption('31337');
    await page.getByLabel('Address').fill(address);
  }

  const submit = (page: Page) => page.getByRole('button', { name: 'Verify' }).click();

  test('a pasted standard JSON is verified, and the page shows the end by itself', async () => {
    await visit('/verify-ui', {}, async ({ page }) => {
      await picture(page, 'form');
      await fillPlace(page, PASTED);
      await page.getByLabel('Or paste it').first().fill(JSON.stringify(INPUT));
      await page.getByRole('combobox', { name: 'Contract' }).selectOption('contracts/Counter.sol:Counter');
      await page.getByLabel('Compiler version').fill(VERSION);
      await submit(page);
      await page.getByRole('heading', { name: /^Verified: / }).waitFor();
      await picture(page, 'verified');
      const link = page.getByRole('link', { name: 'View contract' });
      expect(await link.getAttribute('href')).toMatch(/\/repo-ui\/31337\/0x1{40}$/);
    });
  });

  test('a dropped build-info names its compiler and its contracts at once', async () => {
    await visit('/verify-ui', {}, async ({ page }) => {
      await fillPlace(page, DROPPED);
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(JSON.stringify(BUILD_INFO))}], 'build.json', { type: 'application/json' }));
        const zone = document.querySelector('[data-drop=standardJsonFile]');
        for (const type of ['dragenter', 'dragover', 'drop'])
          zone.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      })()`);
      const list = page.getByRole('combobox', { name: 'Contract' });
      await list.selectOption('contracts/Counter.sol:Counter');
      expect(await page.getByLabel('Compiler version').inputValue()).toBe(VERSION);
      expect(await page.locator('#progress').textContent()).toContain('1 source, 2 contracts');
      await picture(page, 'dropped');
      await submit(page);
      await page.getByRole('heading', { name: /^Verified: / }).waitFor();
    });
  });

  test('without scripts the contract of a build-info is chosen on a page of its own', async () => {
    await visit('/verify-ui', { javaScriptEnabled: false }, async ({ page }) => {
      await fillPlace(page, CHOSEN);
      const buffer = Buffer.from(JSON.stringify(BUILD_INFO));
      await page
        .locator('#standardJsonFile')
        .setInputFiles({ name: 'build.json', mimeType: 'application/json', buffer });
      await submit(page);
      await page.getByRole('heading', { name: 'Contract', exact: true }).waitFor();
      await picture(page, 'choice');
      await page.getByLabel('Counter', { exact: false }).first().check();
      await submit(page);
      // The page of the job loads itself anew.
      await page.getByRole('heading', { name: /^Verified: / }).waitFor();
    });
  });

  test('source files that do not match: the difference is shown, and no text of others becomes markup', async () => {
    await visit('/verify-ui?kind=files', {}, async ({ page }) => {
      await fillPlace(page, DIFFERENT);
      const buffer = Buffer.from(SOURCE.replace('by < 100', 'by < 200'));
      await page.locator('#sources').setInputFiles({ name: 'Counter.sol', mimeType: 'text/plain', buffer });
      await page.getByLabel('Optimizer enabled').check();
      await page.getByLabel('Compiler version').fill('0.8.30');
      await page.getByLabel('Contract', { exact: true }).fill('Counter');
      await picture(page, 'form-files');
      await submit(page);
      await page.getByRole('heading', { name: 'Bytecode mismatch' }).waitFor();
      expect(await page.locator('.sides mark:not(.explained)').first().textContent()).toMatch(
        /^[0-9a-f]{2}$/,
      );
      await picture(page, 'mismatch');
    });
    await visit('/verify-ui?kind=files', {}, async ({ page }) => {
      await fillPlace(page, HOSTILE);
      await page.getByText('Paste a source').click();
      await page.getByLabel('File name').fill('<img src=x onerror=ran()>.sol');
      const hostile = `contract A { ${HOSTILE_TEXTS.join('\n')} ${'x'.repeat(5000)}\u202E`;
      await page.getByLabel('Source', { exact: true }).fill(hostile);
      await page.getByLabel('Compiler version').fill('0.8.30');
      await page.getByLabel('Contract', { exact: true }).fill('<img src=x onerror=ran()>.sol:A');
      await submit(page);
      await page.getByRole('heading', { name: 'The sources were not compiled' }).waitFor();
      await picture(page, 'compiler-error');
      expect(await page.locator('main :is(script, img, iframe, style, svg)').count()).toBe(0);
    });
  });

  test('what is wrong is named, what was entered stays, and the keyboard is where it is told', async () => {
    const watched = await openWatchedPage(browser, { viewport: { width: 390, height: HEIGHT } });
    const { page } = watched;
    await page.goto(`${server.url}/verify-ui`);
    await page.getByLabel('Address').fill('0x12');
    await page.getByLabel('Or paste it').first().fill('{"abi": []}');
    await submit(page);
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('faults');
    expect(await page.getByLabel('Address').inputValue()).toBe('0x12');
    expect(await page.locator('#standardJson').inputValue()).toBe('{"abi": []}');
    await picture(page, 'faults');
    // After the answer the form works as before.
    await page.setViewportSize({ width: 390, height: HEIGHT });
    await fillPlace(page, UPLOADED);
    await page.getByLabel('Or paste it').first().fill(JSON.stringify(BUILD_INFO));
    await page.getByRole('combobox', { name: 'Contract' }).selectOption('contracts/Counter.sol:Counter');
    await submit(page);
    await page.getByRole('heading', { name: /^Verified: / }).waitFor();
    expect(watched.complaints).toEqual([expect.stringContaining('status of 400')]);
    await watched.close();
  });

  test('the list of compilers', async () => {
    await visit('/verify-ui/compilers', { javaScriptEnabled: false }, async ({ page }) => {
      await picture(page, 'compilers');
      expect(await page.getByRole('row').count()).toBeGreaterThan(3);
    });
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('violates no rule of accessibility, %s, %i px wide', async (colorScheme, width) => {
    const jobs = await ended();
    const kinds = ['', '?kind=files', '?kind=metadata'].map((query) => `/verify-ui${query}`);
    for (const path of [...kinds, '/verify-ui/compilers', ...jobs]) {
      const options = { colorScheme, viewport: { width, height: HEIGHT }, bypassCSP: true };
      await visit(path, options, async ({ page }) => {
        await page.evaluate(UNFOLD);
        expect([path, await accessibilityViolations(page)]).toEqual([path, []]);
      });
    }
  });

  /** Pages of a job that failed by its compiler and of one that does not match. */
  async function ended(): Promise<readonly string[]> {
    const changed = (from: string, to: string) => ({
      ...INPUT,
      sources: { 'contracts/Counter.sol': { content: SOURCE.replace(from, to) } },
    });
    const paths: string[] = [];
    for (const stdJsonInput of [changed('by < 100', 'by < 300'), changed('pragma', 'prugma')]) {
      const body = {
        stdJsonInput,
        compilerVersion: VERSION,
        contractIdentifier: 'contracts/Counter.sol:Counter',
      };
      const accepted = await fetch(`${server.url}/v2/verify/31337/${addresses.at(-1)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { verificationId } = (await accepted.json()) as { verificationId: string };
      await fetch(`${server.url}/v2/verify/${verificationId}?wait=60`);
      paths.push(`/verify-ui/jobs/${verificationId}`);
    }
    return paths;
  }
});
