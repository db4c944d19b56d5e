import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { isLeftOut } from '../support/left-out.ts';
import { accessibilityViolations } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { HOSTILE, type LedgerServer, startLedgerServer } from './ledger-server.ts';
import { screenshotsIn } from './screenshots.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

const screenshots = screenshotsIn('ledger-pages');
const HEIGHT = 800;
const [WIDE, NARROW] = [1280, 390];
/** What is folded counts as well. */
const UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true";
/** Elements and attributes that no text of the ledger may become. */
const DANGEROUS_ELEMENTS = `[...document.querySelectorAll('*')]
  .filter((element) =>
    element.matches('script:not([src]), iframe, object, embed, base, style, img, svg') ||
    [...element.attributes].some(({ name, value }) =>
      name.startsWith('on') || name === 'style' ||
      (name === 'href' && !element.matches('link') && /^\\s*(?:javascript|data|vbscript):/i.test(value))))
  .map((element) => element.outerHTML)`;

const VIEWS = [
  'list',
  'list-filtered',
  'list-refused',
  'transfer',
  'tokens-moved',
  'failed',
  'hostile-transaction',
  'account',
  'hostile-account',
  'contract',
  'contract-call',
  'token',
  'hostile-token',
  'topic',
  'hostile-topic',
  'blocks',
  'block',
  'network',
  'nothing-found',
  'not-found',
] as const;
type View = (typeof VIEWS)[number];

interface Listed {
  readonly consensus_timestamp: string;
  readonly entity_id: string | null;
}

describe.skipIf(isLeftOut(chromiumMissing))('pages of the ledger in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let ledger: LedgerServer;
  let paths: Readonly<Record<View, string>>;
  /** Tabs that all views share: without scripts, and without the content policy for axe. */
  let plain: WatchedPage;
  let axeTab: WatchedPage;

  beforeAll(async () => {
    [browser, ledger] = await Promise.all([launchChromium(), startLedgerServer()]);
    paths = await findPaths(ledger.server.url);
    plain = await openWatchedPage(browser, { javaScriptEnabled: false });
    const viewport = { width: NARROW, height: HEIGHT };
    axeTab = await openWatchedPage(browser, { colorScheme: 'dark', viewport, bypassCSP: true });
  }, 300_000);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshots.keepFailure(browser, task.name);
  });
  afterAll(async () => {
    await browser?.close();
    await ledger?.close();
  });

  const address = (view: View) => `${ledger.server.url}${paths[view]}`;
  async function visit(
    path: string,
    options: BrowserContextOptions,
    look: (watched: WatchedPage) => Promise<void>,
  ): Promise<void> {
    const watched = await openWatchedPage(browser, options);
    await watched.page.goto(path);
    // A failure leaves the tab open for its picture.
    await look(watched);
    await watched.close();
  }

  test.each(VIEWS)('%s fits both widths without scripts', async (view) => {
    const { page } = plain;
    await page.goto(address(view));
    for (const [width, colorScheme] of [
      [WIDE, 'light'],
      [NARROW, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      const look = `${view}-${colorScheme}-${width}`;
      await screenshots.take(page, look);
      expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBe(width);
    }
  });

  test.each(VIEWS)('%s violates no rule of accessibility and asks only its own server', async (view) => {
    const { page, requests, complaints } = axeTab;
    // What the page before this one still asks for is not this one's.
    await page.goto('about:blank');
    const [asked, complained] = [requests.length, complaints.length];
    await page.goto(address(view));
    await page.evaluate(UNFOLD);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(DANGEROUS_ELEMENTS)).toEqual([]);
    const { origin } = new URL(ledger.server.url);
    const own = requests.slice(asked);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
    const isRefused = ['list-refused', 'nothing-found', 'not-found'].includes(view);
    expect(complaints.slice(complained)).toEqual(
      isRefused ? [expect.stringMatching(/status of 40[04]/)] : [],
    );
  });

  test('the list follows the ledger, and stops while it is paused', async () => {
    await visit(address('list'), {}, async ({ page, complaints }) => {
      const rows = page.locator('[data-rows] tbody tr');
      const newest = page.locator('[data-rows] tbody tr').first();
      expect(await rows.count()).toBe(25);
      await ledger.add(2);
      await page.getByText('“added 2”').waitFor();
      expect(await rows.count()).toBe(25);
      expect(await page.locator('tr.fresh').count()).toBe(2);
      expect(await page.getByRole('status').textContent()).toBe('2 new transactions.');
      expect(await page.locator('[data-lag-of]').textContent()).toMatch(/ago$/);
      await screenshots.take(page, 'live');

      await page.getByRole('button', { name: 'Pause' }).click();
      const before = await newest.getAttribute('data-at');
      await ledger.add(30);
      await page.getByText('Paused.').waitFor();
      // What would make it ask at once.
      const asked = page.waitForRequest(/newest/, { timeout: 500 }).catch(() => null);
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      expect(await asked).toBeNull();
      expect(await newest.getAttribute('data-at')).toBe(before);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('“added 30”').waitFor();
      expect(await rows.count()).toBe(25);
      expect(await page.getByText('“added 2”').count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  test('the filter, the pages and the search work without a script, by keyboard', async () => {
    await visit(address('list'), { javaScriptEnabled: false }, async ({ page }) => {
      await page.getByText('Filter', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Account' }).fill('0.0.1001');
      await page.getByLabel('Result').selectOption('Failed');
      await page.getByLabel('Rows').fill('1');
      await page.getByLabel('Rows').press('Enter');
      await page.waitForURL(/account\.id=0\.0\.1001/);
      expect(await page.locator('[data-rows] tbody tr').count()).toBe(1);
      const first = await page.locator('[data-rows] tbody tr').getAttribute('data-at');
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.waitForURL(/cursor=/);
      expect(await page.locator('[data-rows] tbody tr').getAttribute('data-at')).not.toBe(first);
      expect(await page.getByRole('textbox', { name: 'Account' }).inputValue()).toBe('0.0.1001');
      await page.getByLabel('Search the ledger').fill(first ?? '');
      await page.getByLabel('Search the ledger').press('Enter');
      await page.waitForURL(/\/ledger\/transactions\//);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Failed');
    });
  });

  test.each([
    [true, WIDE, 'light'],
    [false, NARROW, 'dark'],
  ] as const)(
    'the fee calculator answers, with scripts %s',
    async (javaScriptEnabled, width, colorScheme) => {
      const options = { javaScriptEnabled, colorScheme, viewport: { width, height: HEIGHT } };
      await visit(`${ledger.server.url}/ledger/fees`, { ...options, bypassCSP: true }, async ({ page }) => {
        await page.getByLabel('Hexadecimal or base64').fill('nonsense!');
        await page.getByRole('button', { name: 'Estimate' }).click();
        await page.getByRole('alert').getByText('Character 9, “!”').waitFor();
        await screenshots.take(page, `fees-refused-${width}`);
        await page.getByLabel('Hexadecimal or base64').fill('');
        const file = { name: 'transfer.bin', mimeType: 'application/octet-stream', buffer: aTransfer(2) };
        await page.getByLabel('Or a file').setInputFiles(file);
        await page.getByRole('button', { name: 'Estimate' }).click();
        await page.getByText('2,000,000 tinycents').first().waitFor();
        await screenshots.take(page, `fees-${width}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        if (javaScriptEnabled) expect(await accessibilityViolations(page)).toEqual([]);
      });
    },
  );
});

/** Where something of every kind is, told by the API. */
async function findPaths(url: string): Promise<Readonly<Record<View, string>>> {
  const newest = async (query: string): Promise<Listed> => {
    const answer = await fetch(`${url}/api/v1/transactions?limit=1&${query}`);
    const { transactions } = (await answer.json()) as { readonly transactions: readonly Listed[] };
    const [first] = transactions;
    if (first === undefined) throw new Error(`the ledger has nothing for ${query}`);
    return first;
  };
  const page = async (query: string) => `/ledger/transactions/${(await newest(query)).consensus_timestamp}`;
  const entity = async (type: string) =>
    (await newest(`result=success&transactiontype=${type}`)).entity_id ?? '';
  const { account, token, topic } = HOSTILE;
  const before = 'timestamp=lt:1700600000';
  return {
    list: '/ledger',
    'list-filtered': '/ledger?account.id=0.0.1001&result=success&from=2023-11-14&limit=10',
    'list-refused': '/ledger?limit=1000&from=yesterday',
    transfer: await page(`${before}&transactiontype=CRYPTOTRANSFER&result=success`),
    'tokens-moved': await page(`${before}&transactiontype=TOKENAIRDROP&result=success`),
    failed: await page(`${before}&result=fail`),
    'hostile-transaction': await page(`account.id=${account}&order=asc`),
    account: '/ledger/accounts/0.0.1001',
    'hostile-account': `/ledger/accounts/0.0.${account}`,
    contract: `/ledger/accounts/${await entity('CONTRACTCREATEINSTANCE')}`,
    'contract-call': await page(`${before}&transactiontype=CONTRACTCALL&result=success`),
    token: `/ledger/tokens/${await entity('TOKENMINT')}`,
    'hostile-token': `/ledger/tokens/0.0.${token}`,
    topic: `/ledger/topics/${await entity('CONSENSUSSUBMITMESSAGE')}`,
    'hostile-topic': `/ledger/topics/0.0.${topic}`,
    blocks: '/ledger/blocks',
    block: '/ledger/blocks/3',
    network: '/ledger/network',
    'nothing-found': '/ledger/search?q=%3Cscript%3Eran()%3C/script%3E',
    'not-found': '/ledger/transactions/0.0.1-1-1',
  };
}
